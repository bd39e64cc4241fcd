/** A name in a packet. */
export interface ParsedName {
  /** The absolute name in zone file syntax, with a final dot; special characters are escaped ("\." in a label, "\000"). */
  readonly text: string;
  /** Offset of the end of the name in the packet. */
  readonly end: number;
}

/**
 * Reads an uncompressed name, as in a question. Returns undefined if the name exceeds the packet or the maximum length, or has a
 * compression pointer.
 */
export function parseName(packet: Uint8Array, start: number): ParsedName | undefined {
  let offset = start;
  let isPlain = true;
  for (;;) {
    const length = packet[offset];
    if (length === undefined || length > maxLabelBytes || offset + length - start >= maxNameBytes) return undefined;
    offset += 1;
    if (length === 0) break;
    if (offset + length > packet.length) return undefined;
    for (const end = offset + length; offset < end; offset += 1) isPlain &&= (plainBytes[packet[offset] as number] as number) === 1;
  }
  return { text: isPlain ? readPlainText(packet, start, offset) : readEscapedText(packet, start), end: offset };
}

/**
 * Measures a possibly compressed name: returns its end and the length of its labels; undefined if the name is malformed. Each
 * pointer must lead to an offset before the labels that precede the pointer, so that there is no loop.
 */
export function measureName(packet: Uint8Array, start: number): { readonly end: number; readonly length: number } | undefined {
  let end: number | undefined;
  let length = 0;
  let runStart = start;
  for (let offset = start; ; ) {
    const labelLength = packet[offset];
    if (labelLength === 0) return { end: end ?? offset + 1, length };
    const nextByte = packet[offset + 1];
    if (labelLength === undefined || nextByte === undefined) return undefined;
    if (labelLength >= 0xc0) {
      const target = ((labelLength & 0x3f) << 8) | nextByte;
      if (target >= runStart) return undefined;
      end ??= offset + 2;
      offset = target;
      runStart = target;
    } else {
      length += labelLength + 1;
      if (labelLength > maxLabelBytes || length >= maxNameBytes) return undefined;
      offset += labelLength + 1;
    }
  }
}

/** Copies the name without its first length byte, and replaces each other length byte by a dot. */
function readPlainText(packet: Uint8Array, start: number, end: number): string {
  if (end === start + 1) return '.';
  const copy = Buffer.allocUnsafe(end - start - 1);
  copy.set(packet.subarray(start + 1, end));
  copy[copy.length - 1] = dotCode;
  for (let offset = packet[start] as number; offset < copy.length - 1; ) {
    const length = copy[offset] as number;
    copy[offset] = dotCode;
    offset += length + 1;
  }
  return copy.toString('latin1');
}

function readEscapedText(packet: Uint8Array, start: number): string {
  let text = '';
  for (let offset = start; packet[offset] !== 0; text += '.') {
    const end = offset + 1 + (packet[offset] as number);
    for (offset += 1; offset < end; offset++) text += escapeByte(packet[offset] as number);
  }
  return text;
}

export const maxLabelBytes = 63;
/** Including all length bytes. */
export const maxNameBytes = 255;

const dotCode = 0x2e;

/** 1 for letters, digits, "-", "_" and "*", which make up almost every name. */
const plainBytes: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => (/[-\w*]/.test(String.fromCharCode(byte)) ? 1 : 0));

function escapeByte(byte: number): string {
  const isPrinted = byte >= 0x20 && byte < 0x7f;
  if (!isPrinted) return `\\${String(byte).padStart(3, '0')}`;
  const character = String.fromCharCode(byte);
  return escapedCharacters.includes(character) ? `\\${character}` : character;
}

/** Escaped as in miekg/dns, the form in which names are looked up: see `formatName`. */
const escapedCharacters = '. \'@;()"\\';

/** Encodes each label of a name in zone file syntax. @throws RangeError if the name is invalid */
export function encodeLabels(name: string): readonly Uint8Array[] {
  const labels: Uint8Array[] = [];
  let label: number[] = [];
  const endLabel = (): void => {
    if (label.length === 0 || label.length > maxLabelBytes) throw createInvalidNameError(name);
    labels.push(Uint8Array.from(label));
    label = [];
  };
  for (const [character, escaped] of name.matchAll(/\\(\d{3}|.)|./gs)) {
    if (character === '.') endLabel();
    else label.push(toByte(character, escaped, name));
  }
  if (label.length > 0) endLabel();
  return labels;
}

function toByte(character: string, escaped: string | undefined, name: string): number {
  const code = escaped?.length === 3 ? Number(escaped) : (escaped ?? character).charCodeAt(0);
  if (code > 255) throw createInvalidNameError(name);
  return code;
}

export const createInvalidNameError = (name: string): RangeError =>
  new RangeError(`${JSON.stringify(name.slice(0, 300))} is not a valid DNS name, or too long for a packet`);
