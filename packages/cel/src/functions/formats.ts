import type { CelFunction, CelPart, CelValueMaker } from '../library.ts';
import { problemOfRequestUri } from './url.ts';

/** Validators that the caller supplies: `names` return error messages, `texts` a boolean. */
export interface CelTextForms {
  readonly names: Readonly<Record<'dns1123Label' | 'dns1123Subdomain' | 'dns1035Label' | 'qualifiedName' | 'labelValue', NameForm>>;
  readonly texts: Readonly<Record<'uuid' | 'byte' | 'date' | 'datetime', (text: string) => boolean>>;
}

type NameForm = (text: string) => readonly string[];

/** A named format. */
export class CelFormat {
  readonly name: string;
  /** Returns the problems of a text. */
  readonly check: NameForm;
  constructor(name: string, check: NameForm) {
    this.name = name;
    this.check = check;
  }
  valueOf(): string {
    return this.name;
  }
}

const type = 'kubernetes.NamedFormat';

/** Mirrors apiserver/pkg/cel/library/format.go (1.36). */
export function namedFormatFunctions({ optional }: CelValueMaker, forms: CelTextForms): CelPart {
  const formats = formatsOf(forms);
  return {
    namespaces: ['format'],
    types: [{ name: type, ctor: CelFormat, same: (a: CelFormat, b: CelFormat) => a.name === b.name }],
    functions: [
      { signature: `format.named(string): optional<${type}>`, run: (_: unknown, name: string) => optional(formats.get(name)) },
      ...[...formats].map(([name, format]): CelFunction => ({ signature: `format.${name}(): ${type}`, run: () => format })),
      {
        signature: `${type}.validate(string): optional<list<string>>`,
        run({ check }: CelFormat, text: string) {
          const problems = check(text);
          return optional(problems.length > 0 ? problems : undefined);
        },
      },
    ],
  };
}

function formatsOf({ names, texts }: CelTextForms): ReadonlyMap<string, CelFormat> {
  const { dns1123Label, dns1123Subdomain, dns1035Label, qualifiedName, labelValue } = names;
  const checks: Readonly<Record<string, NameForm>> = {
    dns1123Label,
    dns1123Subdomain,
    dns1035Label,
    qualifiedName,
    labelValue,
    dns1123LabelPrefix: (text) => dns1123Label(asPrefix(text)),
    dns1123SubdomainPrefix: (text) => dns1123Subdomain(asPrefix(text)),
    dns1035LabelPrefix: (text) => dns1035Label(asPrefix(text)),
    uri: (text) => [problemOfRequestUri(text)].filter((problem) => problem !== undefined),
    uuid: (text) => (texts.uuid(text) ? [] : ['does not match the UUID format']),
    byte: (text) => (texts.byte(text) ? [] : ['invalid base64']),
    date: (text) => (texts.date(text) ? [] : ['invalid date']),
    datetime: (text) => (texts.datetime(text) ? [] : ['invalid datetime']),
  };
  return new Map(Object.entries(checks).map(([name, check]) => [name, new CelFormat(name, check)]));
}

/** A prefix of generated names may end in a hyphen. Mirrors maskTrailingDash, which also drops the character before it. */
const asPrefix = (text: string): string => text.replace(/[ -~]-$/, 'a');
