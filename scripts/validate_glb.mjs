// Checks GLB files with the Khronos validator: node validate_glb.mjs FILE.glb…  (npm install gltf-validator)
// FILE.glb=SOURCE.glb allows warnings that the source has already: its meshes are passed on as they are. Errors never.
import fs from 'node:fs';
import validator from 'gltf-validator';

const check = async (file) => {
  const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 0 });
  return issues;
};

/** Errors (0) and warnings (1) as asked for, by code. */
const count = (issues, severities = [0, 1]) => {
  const counts = {};
  for (const { code, severity } of issues.messages) if (severities.includes(severity)) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};

let bad = 0;
let checked = 0;
for (const argument of process.argv.slice(2)) {
  const [file, source] = argument.split('=');
  const issues = await check(file);
  const allowed = source ? count(await check(source), [1]) : {};
  const more = Object.entries(count(issues)).filter(([code, n]) => n > (allowed[code] ?? 0));
  const inherited = issues.numErrors + issues.numWarnings - more.reduce((sum, [code, n]) => sum + n - (allowed[code] ?? 0), 0);
  checked += 1;
  console.log(`${file.split('/').pop()}: ${issues.numErrors} errors, ${issues.numWarnings} warnings${source ? `, ${inherited} of them the source's` : ''}`);
  const codes = new Set(more.map(([code]) => code));
  for (const message of issues.messages.filter((m) => codes.has(m.code)).slice(0, 10)) console.log(`  ${message.code} ${message.pointer}: ${message.message}`);
  if (more.length > 0) bad += 1;
}
console.log(`${checked} files, ${bad} with errors or warnings of our own`);
process.exit(bad ? 1 : 0);
