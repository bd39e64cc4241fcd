import { InvalidArgumentError } from 'commander';
import { isDNS1123Label, isDNS1123Subdomain } from 'kube-endpoints/internal';

/** A DNS-1123 subdomain, the form of most object names. @throws InvalidArgumentError describing the form */
export const readName = (text: string): string => (isDNS1123Subdomain(text) ? text : refuse(253, dotted));

/** As `readName`, but at most 63 characters, so that it is a valid label value. @throws InvalidArgumentError */
export const readGroup = (text: string): string => (isDNS1123Subdomain(text) && text.length <= 63 ? text : refuse(63, dotted));

/** A DNS-1123 label, the form of namespace names. @throws InvalidArgumentError describing the form */
export const readNamespace = (text: string): string => (isDNS1123Label(text) ? text : refuse(63, undotted));

const dotted = 'lower case letters, digits, "-" and "."';
const undotted = 'lower case letters, digits and "-"';

function refuse(maxLength: number, characters: string): never {
  throw new InvalidArgumentError(`give an object name: at most ${maxLength} ${characters}, beginning and ending with a letter or digit`);
}
