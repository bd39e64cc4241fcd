import { InvalidArgumentError } from 'commander';
import { isDNS1123Label, isDNS1123Subdomain } from 'kube-endpoints/internal';

/** The name of an object as most kinds have it. @throws InvalidArgumentError saying what one is */
export const readName = (text: string): string => (isDNS1123Subdomain(text) ? text : refuse(253, dotted));

/** As `readName`, of what is the value of a label, too. @throws InvalidArgumentError */
export const readGroup = (text: string): string => (isDNS1123Subdomain(text) && text.length <= 63 ? text : refuse(63, dotted));

/** The name of a namespace, which has no dots. @throws InvalidArgumentError saying what one is */
export const readNamespace = (text: string): string => (isDNS1123Label(text) ? text : refuse(63, undotted));

const dotted = 'lower case letters, digits, "-" and "."';
const undotted = 'lower case letters, digits and "-"';

function refuse(longest: number, characters: string): never {
  throw new InvalidArgumentError(
    `give a name as objects have it: at most ${longest} ${characters}, that begins and ends with a letter or digit`,
  );
}
