import { parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import { knownFieldsTable } from './known-fields-table.ts';

/** The fields of a struct, and the struct of each field that has one. */
export type KnownFields = ReadonlyMap<string, string | undefined>;

const structs: ReadonlyMap<string, KnownFields> = /* @__PURE__ */ new Map(knownFieldsTable.trim().split('\n').map(parseLine));

/** The fields of a struct such as "core.ServicePort"; undefined for an unknown struct. */
export const knownFieldsOf = (struct: string): KnownFields | undefined => structs.get(struct);

function parseLine(line: string): [string, KnownFields] {
  const [name = '', ...fields] = line.split(' ');
  return [name, new Map(fields.map((field) => field.split(':') as [string, string | undefined]))];
}

/** The Go package of each kind in the table, by API group. */
const packages: Readonly<Record<string, string>> = {
  '': 'core',
  apps: 'apps',
  batch: 'batch',
  policy: 'policy',
  'discovery.k8s.io': 'discovery',
  'networking.k8s.io': 'networking',
  'gateway.networking.k8s.io': 'gateway',
};

/** The struct of a kind: "core.Service" for v1 and Service. */
export function structOf(apiVersion: string, kind: string): string {
  return `${packages[parseApiVersion(apiVersion).group] ?? ''}.${kind}`;
}
