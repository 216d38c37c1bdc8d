// Reads the data that was written into the page: a JSON object with the GLB as base64 text.

/** The page's data, or null when the page was opened without any. */
export function readData() {
  const element = document.getElementById('surefoot-data');
  return element ? JSON.parse(element.textContent) : null;
}

export function decodeBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}
