/** How long a manager's name may be, in bytes. */
const maxLength = 128;

/** The manager of a write that names none: what stands before the user agent's first slash, as far as it can be printed. */
export function managerOf(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager) {
    return fieldManager;
  }
  let name = '';
  for (const char of userAgent.split('/')[0] ?? '') {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) {
      continue;
    }
    if (Buffer.byteLength(name + char) > maxLength) {
      break;
    }
    name += char;
  }
  return name;
}
