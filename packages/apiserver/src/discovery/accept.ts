import { type Clause, matches, transforms } from '../http/accept.ts';
import { writeYaml } from '../http/yaml.ts';

export interface Format {
  readonly name: 'json' | 'yaml';
  readonly pretty: boolean;
  /** What stands behind the media type in the answer. */
  readonly parameters: string;
}

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

/** A text of JSON in the format that was asked for. */
export function written(json: string, { name, pretty }: Format): string | Promise<string> {
  if (name === 'yaml') return writeYaml(json);
  return pretty ? JSON.stringify(JSON.parse(json), undefined, 2) : `${json}\n`;
}
