import { InvalidArgumentError } from 'commander';

/** The name of an object as most kinds have it. @throws InvalidArgumentError saying what one is */
export const readName = (text: string): string => checked(text, isSubdomain, 253);

/** As `readName`, of what is the value of a label, too. @throws InvalidArgumentError */
export const readGroup = (text: string): string => checked(text, isSubdomain, 63);

/** The name of a namespace, which has no dots. @throws InvalidArgumentError saying what one is */
export const readNamespace = (text: string): string => checked(text, isLabel, 63);

function checked(text: string, pattern: RegExp, longest: number): string {
  if (text.length <= longest && pattern.test(text)) return text;
  const characters = pattern === isLabel ? 'lower case letters, digits and "-"' : 'lower case letters, digits, "-" and "."';
  throw new InvalidArgumentError(
    `give a name as objects have it: at most ${longest} ${characters}, that begins and ends with a letter or digit`,
  );
}

const isLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const isSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
