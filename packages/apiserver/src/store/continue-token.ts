import { escapeText, quote } from 'kube-endpoints/internal/apimachinery';

/** Start key and revision of a continued list. */
interface Continuation {
  /** First key of the page, relative to the prefix of the list. */
  readonly startKey: string;
  /** A negative number selects the newest state. */
  readonly revision: number;
}

type DecodedToken = ({ readonly problem?: undefined } & Continuation) | { readonly problem: string };

const tokenVersion = 'meta.k8s.io/v1';
const invalidKeyMessage = 'continue key is not valid';
const base64Character = /^[A-Za-z0-9_-]$/;

/** The token of the page after a key: `EncodeContinue` (1.36, apiserver/pkg/storage/continue.go). */
export const createTokenAfter = (key: string, revision: number): string => encodeToken({ startKey: `${key}\u0000`, revision });

export function encodeToken({ startKey, revision }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision, start: startKey })).toString('base64url');
}

/** Decodes a token, or returns upstream's error message: `DecodeContinue`. */
export function decodeToken(token: string): DecodedToken {
  const offset = findIllegalByte(token);
  if (offset !== undefined) return { problem: `${invalidKeyMessage}: illegal base64 data at input byte ${offset}` };
  const text = Buffer.from(token, 'base64url');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.toString('utf8'));
  } catch {
    return { problem: `${invalidKeyMessage}: ${describeSyntaxError(text)}` };
  }
  return parseContinuation(parsed);
}

function parseContinuation(parsed: unknown): DecodedToken {
  if (parsed !== null && (typeof parsed !== 'object' || Array.isArray(parsed))) {
    const kind = Array.isArray(parsed) ? 'array' : typeof parsed === 'boolean' ? 'bool' : typeof parsed;
    return { problem: `${invalidKeyMessage}: json: cannot unmarshal ${kind} into Go value of type storage.continueToken` };
  }
  const { v = '', rv = 0, start = '' } = (parsed ?? {}) as { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown };
  if (typeof v !== 'string' || !Number.isInteger(rv) || typeof start !== 'string')
    return { problem: `${invalidKeyMessage}: json: cannot unmarshal` };
  if (v !== tokenVersion) return { problem: `${invalidKeyMessage}: server does not recognize this encoded version ${v}` };
  if (rv === 0) return { problem: `${invalidKeyMessage}: incorrect encoded start resourceVersion (version ${tokenVersion})` };
  if (start === '') return { problem: `${invalidKeyMessage}: encoded start key empty (version ${tokenVersion})` };
  if (!isCleanPath(start)) return { problem: `${invalidKeyMessage}: ${start}` };
  return { startKey: start.startsWith('/') ? start.slice(1) : start, revision: rv as number };
}

/** False for paths with empty, "." or ".." segments, so that a token cannot reach beyond the listed prefix. */
function isCleanPath(start: string): boolean {
  const segments = (start.startsWith('/') ? start.slice(1) : start).split('/');
  return segments.every(
    (segment, index) => (segment !== '' || (index === 0 && segments.length === 1)) && segment !== '.' && segment !== '..',
  );
}

/** Offset of the first byte outside the base64 alphabet, or of a last character that completes no byte. */
function findIllegalByte(token: string): number | undefined {
  const bytes = Buffer.from(token, 'utf8');
  let digitCount = 0;
  for (const [offset, byte] of bytes.entries()) {
    if (byte === 10 || byte === 13) continue;
    if (!base64Character.test(String.fromCharCode(byte))) return offset;
    digitCount += 1;
  }
  return digitCount % 4 === 1 ? bytes.length - 1 : undefined;
}

/** The error of Go's JSON decoder; approximate if the text begins like JSON. */
function describeSyntaxError(text: Buffer): string {
  const firstByte = text.find((byte) => !' \t\r\n'.includes(String.fromCharCode(byte)));
  if (firstByte === undefined) return 'unexpected end of JSON input';
  const char = String.fromCharCode(firstByte);
  if ('{["-0123456789tfn'.includes(char)) return 'unexpected end of JSON input';
  return `invalid character ${char === '"' || char === "'" ? quoteChar(char) : `'${escapeText(char)}'`} looking for beginning of value`;
}

const quoteChar = (char: string): string => (char === "'" ? "'\\''" : `'${quote(char).slice(2, -1)}'`);
