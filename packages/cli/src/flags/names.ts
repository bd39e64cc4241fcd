import { InvalidArgumentError } from 'commander';
import { isDNS1123Label, isDNS1123Subdomain } from 'kube-endpoints/internal/apimachinery';

/** Parses a DNS-1123 subdomain, the form of most object names. @throws InvalidArgumentError describing the form */
export const parseName = (text: string): string => (isDNS1123Subdomain(text) ? text : throwInvalidName(253, subdomainCharacters));

/** Parses a name as `parseName` does, but of at most 63 characters, so that it is a valid label value. @throws InvalidArgumentError */
export const parseGroup = (text: string): string =>
  isDNS1123Subdomain(text) && text.length <= 63 ? text : throwInvalidName(63, subdomainCharacters);

/** Parses a DNS-1123 label, the form of the names of namespaces and Services. @throws InvalidArgumentError describing the form */
export const parseDNSLabel = (text: string): string => (isDNS1123Label(text) ? text : throwInvalidName(63, labelCharacters));

const subdomainCharacters = 'lower case letters, digits, "-" and "."';
const labelCharacters = 'lower case letters, digits and "-"';

function throwInvalidName(maxLength: number, characters: string): never {
  throw new InvalidArgumentError(`give an object name: at most ${maxLength} ${characters}, beginning and ending with a letter or digit`);
}
