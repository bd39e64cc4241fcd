import { resources as known, type Resource } from 'kube-endpoints/port';
import { builtInResources } from './catalog.ts';
import type { ApiServerOptions } from './options.ts';
import { dns1035Label, dns1123Label, dns1123Subdomain } from './resources/field/formats.ts';

/** @throws RangeError that names the option which is wrong, and what to give */
export function checkApiServerOptions(options: ApiServerOptions): void {
  const { maxEvents, maxEventBytes, objects, resources = [], admission = [] } = options;
  checkCount('maxEvents', maxEvents);
  checkCount('maxEventBytes', maxEventBytes);
  for (const [name, value] of Object.entries({ objects, resources, admission })) {
    if (value !== undefined && !Array.isArray(value)) throw new RangeError(`${name} is ${printed(value)}: give a list`);
  }
  for (const name of ['background', 'managedFields', 'endsPods'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'boolean') throw new RangeError(`${name} is ${printed(value)}: give true or false`);
  }
  admission.forEach((each, at) => {
    if (typeof each?.mutate !== 'function' && typeof each?.validate !== 'function') {
      throw new RangeError(`admission[${at}] neither mutates nor validates: give what createFunctionAdmission makes`);
    }
  });
  const taken = new Set(builtInResources().map(({ resource }) => pathOf(resource)));
  resources.forEach((each, at) => {
    checkResource(`resources[${at}].resource`, each?.resource);
    const path = pathOf(each.resource);
    if (taken.has(path))
      throw new RangeError(`resources[${at}].resource: ${path} is served already: give another plural, version or group`);
    taken.add(path);
  });
}

function checkCount(name: string, value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) > 0)) return;
  throw new RangeError(`${name} is ${printed(value)}: give a whole number from 1 on`);
}

/** Names as they stand in paths. */
function checkResource(at: string, resource: Resource | undefined): void {
  if (typeof resource !== 'object' || resource === null) {
    throw new RangeError(`${at} is ${printed(resource)}: give ${JSON.stringify(known.pods)}, with names of your own`);
  }
  const wanted: readonly (readonly [keyof Resource, (value: string) => boolean, string])[] = [
    ['group', (group) => group === '' || dns1123Subdomain(group).length === 0, 'a DNS name, or "" for the core'],
    ['version', (version) => dns1123Label(version).length === 0, 'a DNS label, as in "v1"'],
    ['plural', (plural) => dns1035Label(plural).length === 0, 'a plural in lower case, as in "pods"'],
    ['kind', (kind) => /^[A-Z][A-Za-z0-9]*$/.test(kind), 'a kind, as in "Pod"'],
  ];
  for (const [field, isSound, what] of wanted) {
    const value = resource[field];
    if (typeof value !== 'string' || !isSound(value)) throw new RangeError(`${at}.${field} is ${printed(value)}: give ${what}`);
  }
  if (typeof resource.namespaced !== 'boolean')
    throw new RangeError(`${at}.namespaced is ${printed(resource.namespaced)}: give true or false`);
}

/** "example.com/v1/widgets" */
const pathOf = ({ group, version, plural }: Resource): string => [group, version, plural].filter((part) => part !== '').join('/');

/** A value of whatever kind, in short. */
const printed = (value: unknown): string => {
  if (value === undefined || typeof value === 'number') return String(value);
  if (typeof value === 'function') return 'a function';
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, 80);
  } catch {
    return 'an object';
  }
};
