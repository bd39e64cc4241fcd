/** A media type that a client takes, with its parameters. */
export interface Clause {
  /** "application/json", "*\/*". */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * The clauses of an Accept header, the preferred ones first, those with an asterisk last among equals. Mirrors ParseAccept
 * (github.com/munnerz/goautoneg), to which a quality that is no number is none.
 */
export function readAccept(header: string | undefined): readonly Clause[] {
  if (!header) return [{ type: '*/*', parameters: new Map() }];
  const clauses = header.split(',').map((text) => {
    const [type = '', ...rest] = text.split(';');
    const parameters = new Map<string, string>();
    for (const each of rest) {
      const at = each.indexOf('=');
      if (at >= 0) parameters.set(each.slice(0, at).trim(), each.slice(at + 1).trim());
    }
    const quality = Number(parameters.get('q') ?? 1);
    return { type: type.trim(), parameters, quality: Number.isNaN(quality) ? 0 : quality };
  });
  return clauses.sort((a, b) => b.quality - a.quality || asterisks(a) - asterisks(b));
}

const asterisks = ({ type }: Clause): number => (type.startsWith('*') ? 2 : type.endsWith('*') ? 1 : 0);

/** Whether a clause takes a media type. */
export const matches = ({ type }: Clause, mediaType: string): boolean =>
  type === mediaType || type === '*/*' || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)));

/** Whether objects are wanted in another form than their own. */
export const transforms = (parameters: ReadonlyMap<string, string>): boolean => ['as', 'g', 'v'].some((name) => parameters.has(name));

/**
 * Whether to indent: where it is asked for, or where people are likely to read it. Mirrors isPrettyPrint (1.36,
 * apiserver/pkg/endpoints/handlers/negotiation/negotiate.go).
 */
export function wantsPretty(query: URLSearchParams, userAgent = ''): boolean {
  const asked = query.size === 0 ? '' : query.get('pretty');
  return asked ? trueTexts.includes(asked) : browsers.some((browser) => userAgent.startsWith(browser));
}

/** What Go's ParseBool takes for true. */
const trueTexts: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const browsers: readonly string[] = ['curl', 'Wget', 'Mozilla/5.0'];
