import { child, type Fields, has, list, number, text, texts } from '../resources/field/read.ts';

/** Whether a quota's scopes select an object. Only pods and claims have scopes. Mirrors podMatchesScopeFunc and pvcMatchesScopeFunc (1.36). */
export function matchesScopes(quota: Fields, groupResource: string, object: Fields): boolean {
  const spec = child(quota, 'spec');
  const selectors = [
    ...texts(spec, 'scopes').map((scopeName): Fields => ({ scopeName, operator: 'Exists' })),
    ...list(child(spec, 'scopeSelector'), 'matchExpressions'),
  ];
  return selectors.every((selector) => scopes[`${groupResource} ${text(selector, 'scopeName')}`]?.(object, selector) ?? false);
}

const scopes: Readonly<Record<string, (object: Fields, selector: Fields) => boolean>> = {
  'pods Terminating': (pod) => isTerminating(pod),
  'pods NotTerminating': (pod) => !isTerminating(pod),
  'pods BestEffort': (pod) => isBestEffort(pod),
  'pods NotBestEffort': (pod) => !isBestEffort(pod),
  'pods PriorityClass': (pod, selector) => selects(selector, [text(child(pod, 'spec'), 'priorityClassName')]),
  'pods CrossNamespacePodAffinity': (pod) => usesOtherNamespaces(child(child(pod, 'spec'), 'affinity')),
  'persistentvolumeclaims VolumeAttributesClass': (claim, selector) => {
    const status = child(claim, 'status');
    return selects(selector, [
      text(child(claim, 'spec'), 'volumeAttributesClassName'),
      text(status, 'currentVolumeAttributesClassName'),
      text(child(status, 'modifyVolumeStatus'), 'targetVolumeAttributesClassName'),
    ]);
  },
};

export const isTerminating = (pod: Fields): boolean => {
  const spec = child(pod, 'spec');
  return has(spec, 'activeDeadlineSeconds') && number(spec, 'activeDeadlineSeconds') >= 0;
};

function isBestEffort(pod: Fields): boolean {
  const spec = child(pod, 'spec');
  const owners = [spec, ...list(spec, 'containers'), ...list(spec, 'initContainers')];
  return owners.every((owner) =>
    ['requests', 'limits'].every((section) => {
      const amounts = child(child(owner, 'resources'), section);
      return !['cpu', 'memory'].some((name) => Object.hasOwn(amounts, name) && amounts[name] !== '0');
    }),
  );
}

/** @param names the names that the object refers to; empty ones are ignored */
function selects(selector: Fields, names: readonly string[]): boolean {
  const given = names.filter((name) => name !== '');
  const values = texts(selector, 'values');
  switch (text(selector, 'operator')) {
    case 'Exists':
      return given.length > 0;
    case 'DoesNotExist':
      return given.length === 0;
    case 'In':
      return given.some((name) => values.includes(name));
    default:
      return given.length === 0 || given.some((name) => !values.includes(name));
  }
}

function usesOtherNamespaces(affinity: Fields): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((name) => {
    const rules = child(affinity, name);
    const terms = [
      ...list(rules, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...list(rules, 'preferredDuringSchedulingIgnoredDuringExecution').map((term) => child(term, 'podAffinityTerm')),
    ];
    return terms.some((term) => texts(term, 'namespaces').length > 0 || has(term, 'namespaceSelector'));
  });
}
