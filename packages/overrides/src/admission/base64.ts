/** Text in base64 of its UTF-8. */
export function toBase64(text: string): string {
  // What is plain, as nearly all patches are, is its own UTF-8.
  return btoa(isPlain.test(text) ? text : Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

const isPlain = /^[\x20-\x7e]*$/;
