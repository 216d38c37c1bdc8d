// Checks GLB files with the Khronos validator: node validate_glb.mjs FILE.glb…  (npm install gltf-validator)
import fs from 'node:fs';
import validator from 'gltf-validator';

let bad = 0;
for (const file of process.argv.slice(2)) {
  const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
  console.log(`${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings`);
  for (const message of issues.messages.slice(0, 10)) console.log(`  ${message.code} ${message.pointer}: ${message.message}`);
  if (issues.numErrors + issues.numWarnings > 0) bad += 1;
}
process.exit(bad ? 1 : 0);
