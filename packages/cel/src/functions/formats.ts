import type { CelFunction, CelPart, CelValueMaker } from '../library.ts';
import { problemOfRequestUri } from './url.ts';

/** Validators that the caller supplies: `names` return error messages, `texts` a boolean. */
export interface FormatValidators {
  readonly names: Readonly<Record<'dns1123Label' | 'dns1123Subdomain' | 'dns1035Label' | 'qualifiedName' | 'labelValue', NameValidator>>;
  readonly texts: Readonly<Record<'uuid' | 'byte' | 'date' | 'datetime', (text: string) => boolean>>;
}

type NameValidator = (text: string) => readonly string[];

export class CelFormat {
  readonly name: string;
  readonly check: NameValidator;
  constructor(name: string, check: NameValidator) {
    this.name = name;
    this.check = check;
  }
  valueOf(): string {
    return this.name;
  }
}

const type = 'kubernetes.NamedFormat';

/** Mirrors apiserver/pkg/cel/library/format.go (1.36). */
export function namedFormatFunctions({ createOptional }: CelValueMaker, validators: FormatValidators): CelPart {
  const formats = createFormats(validators);
  return {
    namespaces: ['format'],
    types: [{ name: type, ctor: CelFormat, equals: (a: CelFormat, b: CelFormat) => a.name === b.name }],
    functions: [
      { signature: `format.named(string): optional<${type}>`, run: (_: unknown, name: string) => createOptional(formats.get(name)) },
      ...[...formats].map(([name, format]): CelFunction => ({ signature: `format.${name}(): ${type}`, run: () => format })),
      {
        signature: `${type}.validate(string): optional<list<string>>`,
        run({ check }: CelFormat, text: string) {
          const problems = check(text);
          return createOptional(problems.length > 0 ? problems : undefined);
        },
      },
    ],
  };
}

function createFormats({ names, texts }: FormatValidators): ReadonlyMap<string, CelFormat> {
  const { dns1123Label, dns1123Subdomain, dns1035Label, qualifiedName, labelValue } = names;
  const checks: Readonly<Record<string, NameValidator>> = {
    dns1123Label,
    dns1123Subdomain,
    dns1035Label,
    qualifiedName,
    labelValue,
    dns1123LabelPrefix: (text) => dns1123Label(maskTrailingDash(text)),
    dns1123SubdomainPrefix: (text) => dns1123Subdomain(maskTrailingDash(text)),
    dns1035LabelPrefix: (text) => dns1035Label(maskTrailingDash(text)),
    uri: (text) => [problemOfRequestUri(text)].filter((problem) => problem !== undefined),
    uuid: (text) => (texts.uuid(text) ? [] : ['does not match the UUID format']),
    byte: (text) => (texts.byte(text) ? [] : ['invalid base64']),
    date: (text) => (texts.date(text) ? [] : ['invalid date']),
    datetime: (text) => (texts.datetime(text) ? [] : ['invalid datetime']),
  };
  return new Map(Object.entries(checks).map(([name, check]) => [name, new CelFormat(name, check)]));
}

/** Lets a prefix of generated names end in a hyphen. Like upstream's maskTrailingDash, also replaces the character before the hyphen. */
const maskTrailingDash = (text: string): string => text.replace(/[ -~]-$/, 'a');
