import { writeYaml } from '../http/yaml.ts';

/** A media type that a client takes, with its parameters. */
export interface Clause {
  /** "application/json", "*\/*". */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export interface Format {
  readonly name: 'json' | 'yaml';
  readonly pretty: boolean;
  /** What stands behind the media type in the answer. */
  readonly parameters: string;
}

/** The clauses of an Accept header, the preferred ones first, those with an asterisk last among equals. */
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

/** How plain discovery is written; undefined where no clause allows for it. */
export const plainFormat = (clauses: readonly Clause[]): Format | undefined =>
  formatOf(clauses, (parameters) => !transforms(parameters), '');

/**
 * How aggregated discovery is written; undefined where no clause asks for it. Whoever does gets it, even if plain discovery is preferred:
 * `WrappedHandler` (apiserver/pkg/endpoints/discovery/aggregated, 1.36) looks for nothing else. Of v2beta1, 1.36 knows nothing any more.
 */
export const aggregatedFormat = (clauses: readonly Clause[]): Format | undefined =>
  formatOf(
    clauses,
    (parameters) =>
      parameters.get('g') === 'apidiscovery.k8s.io' && parameters.get('v') === 'v2' && parameters.get('as') === 'APIGroupDiscoveryList',
    ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  );

function formatOf(
  clauses: readonly Clause[],
  allows: (parameters: ReadonlyMap<string, string>) => boolean,
  parameters: string,
): Format | undefined {
  for (const clause of clauses) {
    const name = names.find((each) => matches(clause, `application/${each}`));
    const stream = clause.parameters.get('stream');
    if (name === undefined || !allows(clause.parameters) || clause.parameters.get('sv') || (stream && stream !== 'watch')) continue;
    return { name, pretty: clause.parameters.get('pretty') === '1', parameters };
  }
  return undefined;
}

const names = ['json', 'yaml'] as const;

/** Whether a clause takes a media type. */
export const matches = ({ type }: Clause, mediaType: string): boolean =>
  type === mediaType || type === '*/*' || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)));

const transforms = (parameters: ReadonlyMap<string, string>): boolean => ['as', 'g', 'v'].some((name) => parameters.has(name));

/** Whether to indent: where it is asked for, or where people are likely to read it (`isPrettyPrint`). */
export function wantsPretty(query: URLSearchParams, userAgent: string | undefined): boolean {
  const asked = query.get('pretty');
  if (asked) return /^(1|t|T|TRUE|true|True)$/.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent ?? '');
}

/** A text of JSON in the format that was asked for. */
export function written(json: string, { name, pretty }: Format): string | Promise<string> {
  if (name === 'yaml') return writeYaml(json);
  return pretty ? JSON.stringify(JSON.parse(json), undefined, 2) : `${json}\n`;
}
