/** A name in a packet. */
export interface ReadName {
  /** The absolute name in zone file syntax, with a final dot; special characters are escaped ("\." in a label, "\000"). */
  readonly text: string;
  /** Offset of its end in the packet. */
  readonly end: number;
}

/** Reads an uncompressed name, as in a question. Undefined if it exceeds the packet or the maximum length, or has a compression pointer. */
export function readName(packet: Uint8Array, start: number): ReadName | undefined {
  let at = start;
  let isPlain = true;
  for (;;) {
    const length = packet[at];
    if (length === undefined || length > maxLabelBytes || at + length - start >= maxNameBytes) return undefined;
    at += 1;
    if (length === 0) break;
    if (at + length > packet.length) return undefined;
    for (const end = at + length; at < end; at += 1) isPlain &&= (plain[packet[at] as number] as number) === 1;
  }
  return { text: isPlain ? plainText(packet, start, at) : escapedText(packet, start), end: at };
}

/**
 * The end of a possibly compressed name, and the length of its labels; undefined if it is malformed. Each pointer must lead to a place
 * before the labels that it ends, so that there is no loop.
 */
export function measureName(packet: Uint8Array, start: number): { readonly end: number; readonly length: number } | undefined {
  let end: number | undefined;
  let length = 0;
  let from = start;
  for (let at = start; ; ) {
    const label = packet[at];
    if (label === 0) return { end: end ?? at + 1, length };
    const next = packet[at + 1];
    if (label === undefined || next === undefined) return undefined;
    if (label >= 0xc0) {
      const target = ((label & 0x3f) << 8) | next;
      if (target >= from) return undefined;
      end ??= at + 2;
      at = target;
      from = target;
    } else {
      length += label + 1;
      if (label > maxLabelBytes || length >= maxNameBytes) return undefined;
      at += label + 1;
    }
  }
}

/** Each length byte after the first has the position of a dot in the text. */
function plainText(packet: Uint8Array, start: number, end: number): string {
  if (end === start + 1) return '.';
  const copy = Buffer.allocUnsafe(end - start - 1);
  copy.set(packet.subarray(start + 1, end));
  copy[copy.length - 1] = dot;
  for (let at = packet[start] as number; at < copy.length - 1; ) {
    const length = copy[at] as number;
    copy[at] = dot;
    at += length + 1;
  }
  return copy.toString('latin1');
}

function escapedText(packet: Uint8Array, start: number): string {
  let text = '';
  for (let at = start; packet[at] !== 0; text += '.') {
    const end = at + 1 + (packet[at] as number);
    for (at += 1; at < end; at++) text += escapeByte(packet[at] as number);
  }
  return text;
}

export const maxLabelBytes = 63;
/** Including all length bytes. */
export const maxNameBytes = 255;

const dot = 0x2e;

/** 1 for letters, digits, "-", "_" and "*", which make up almost every name. */
const plain: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => (/[-\w*]/.test(String.fromCharCode(byte)) ? 1 : 0));

function escapeByte(byte: number): string {
  const isPrinted = byte >= 0x20 && byte < 0x7f;
  if (!isPrinted) return `\\${String(byte).padStart(3, '0')}`;
  const character = String.fromCharCode(byte);
  return escapedCharacters.includes(character) ? `\\${character}` : character;
}

/** Escaped as in miekg/dns, the form in which names are looked up: see `formatName`. */
const escapedCharacters = '. \'@;()"\\';

/** The bytes of each label of a name in zone file syntax. @throws RangeError if the name is invalid */
export function encodeLabels(name: string): readonly Uint8Array[] {
  const labels: Uint8Array[] = [];
  let label: number[] = [];
  const end = (): void => {
    if (label.length === 0 || label.length > maxLabelBytes) throw invalidNameError(name);
    labels.push(Uint8Array.from(label));
    label = [];
  };
  for (const [whole, escaping] of name.matchAll(/\\(\d{3}|.)|./gs)) {
    if (whole === '.') end();
    else label.push(byteOf(whole, escaping, name));
  }
  if (label.length > 0) end();
  return labels;
}

function byteOf(whole: string, escaping: string | undefined, name: string): number {
  const code = escaping?.length === 3 ? Number(escaping) : (escaping ?? whole).charCodeAt(0);
  if (code > 255) throw invalidNameError(name);
  return code;
}

export const invalidNameError = (name: string): RangeError =>
  new RangeError(`${JSON.stringify(name.slice(0, 300))} is not a valid DNS name, or too long for a packet`);
