/** The text of a source, or in which line it stops being text. */
export type Decoded =
  | { readonly text: string; readonly error?: undefined }
  | { readonly error: string; readonly line?: number | undefined };

/** Reads UTF-8, with or without a byte order mark, and refuses what is no text before anything tries to parse it. */
export function decode(bytes: Uint8Array): Decoded {
  if (isUTF16(bytes)) return { error: 'this is UTF-16: give UTF-8' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { error: 'not UTF-8: give YAML or JSON in UTF-8', line: findInvalidLine(bytes) };
  }
  const control = controlCharacter.exec(text);
  if (!control) return { text };
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return { error: `not text (the control character U+${code}): give YAML or JSON`, line: lineAt(text, control.index) };
}

const isUTF16 = ([a, b]: Uint8Array): boolean => (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to catch
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const newline = 0x0a;
const block = 64 * 1024;

/** Blocks of whole lines first, then the lines of the block that fails. No character of UTF-8 reaches over a line's end. */
function findInvalidLine(bytes: Uint8Array): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const isValid = (part: Uint8Array): boolean => {
    try {
      decoder.decode(part);
      return true;
    } catch {
      return false;
    }
  };
  let line = 1;
  for (let at = 0; at < bytes.length; ) {
    const end = lineEnd(bytes, Math.min(at + block, bytes.length));
    const part = bytes.subarray(at, end);
    const whole = isValid(part);
    for (let from = 0; from < part.length; from = lineEnd(part, from)) {
      if (!whole && !isValid(part.subarray(from, lineEnd(part, from)))) return line;
      line++;
    }
    at = end;
  }
  return undefined;
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(newline, from);
  return at === -1 ? bytes.length : at + 1;
}

function lineAt(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
