import { compareText } from '../../apimachinery/compare.ts';
import type { AddressType, EndpointSlice, EndpointSliceInput, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { DesiredState } from './desired.ts';
import { isOwnedBy, newSlice } from './metadata.ts';
import { type PackOptions, packGroup, type SliceChanges } from './pack.ts';

/** What packing stands on, and the release under whose rules it is done. */
export interface ChangeOptions extends PackOptions {
  readonly profile: Profile;
}

/**
 * What becomes of a Service's slices of one address type, hints aside: each group of ports is packed by itself, slices with
 * ports that nothing resolves to any more and slices of an earlier Service are deleted, and where none would be left there
 * is one without endpoints, the placeholder.
 *
 * Mirrors reconcileByAddressType (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function changesOfType(
  { addressType, groups }: DesiredState,
  there: readonly EndpointSliceInput[],
  options: ChangeOptions,
): SliceChanges {
  const changes: SliceChanges = { create: [], update: [], delete: [], codes: new Set() };
  const byPorts = new Map<string, EndpointSliceInput[]>();
  for (const slice of there) {
    const { owned, portsKey } = options.read(slice);
    if (!owned) {
      changes.delete.push(slice);
      changes.codes.add('SliceOfOtherService');
      continue;
    }
    const group = byPorts.get(portsKey);
    if (group) group.push(slice);
    else byPorts.set(portsKey, [slice]);
  }
  for (const group of groups) {
    merge(changes, packGroup(group, byPorts.get(group.key) ?? [], options));
    byPorts.delete(group.key);
  }
  for (const [, slices] of [...byPorts].sort(([a], [b]) => compareText(a, b))) {
    changes.delete.push(...slices);
    changes.codes.add('PortsNotWanted');
  }
  if (changes.delete.length === there.length && changes.create.length === 0) keepPlaceholder(addressType, changes, options);
  return changes;
}

function merge(all: SliceChanges, some: SliceChanges): void {
  all.create.push(...some.create);
  all.update.push(...some.update);
  all.delete.push(...some.delete);
  for (const code of some.codes) all.codes.add(code);
}

/** Sees to the slice that says "no endpoints": the one that is there, in the releases that look for it, or a new one. */
function keepPlaceholder(addressType: AddressType, changes: SliceChanges, { service, profile }: ChangeOptions): void {
  const placeholder = newSlice(service, addressType, []);
  const [only] = changes.delete;
  if (profile.placeholderKept && only && changes.delete.length === 1 && isPlaceholder(only, placeholder)) {
    changes.delete.length = 0;
    changes.codes.delete('PortsNotWanted');
    changes.codes.delete('SliceOfOtherService');
    return;
  }
  changes.create.push(placeholder);
  changes.codes.add('Placeholder');
}

/**
 * Whether a slice says what the placeholder says; its owner and annotations are not looked at, and a label without a value
 * is as good as none. Mirrors placeholderSliceCompare (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
function isPlaceholder({ metadata, endpoints, ports }: EndpointSliceInput, placeholder: EndpointSlice): boolean {
  const labels = metadata?.labels ?? {};
  const wanted = placeholder.metadata.labels ?? {};
  const keys = [...Object.keys(labels), ...Object.keys(wanted)];
  const textOf = (map: Readonly<Record<string, string>>, key: string): string => (Object.hasOwn(map, key) ? (map[key] as string) : '');
  return !endpoints?.length && !ports?.length && keys.every((key) => textOf(labels, key) === textOf(wanted, key));
}

/**
 * Turns pairs of a deletion and a creation into one update: the slice that is there takes what was to be created. Slices of
 * an earlier Service are not taken, for the garbage collector is about to delete them.
 *
 * Mirrors the head of finalize (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function recycle({ create, update, delete: doomed }: SliceChanges, service: Service): void {
  let i = 0;
  while (i < doomed.length && create.length > 0) {
    const slice = doomed[i] as EndpointSliceInput;
    if (!isOwnedBy(slice, service)) {
      i++;
      continue;
    }
    const successor = create.pop() as EndpointSlice;
    const { name, resourceVersion, uid } = slice.metadata ?? {};
    successor.metadata = { ...successor.metadata, name: name ?? '', ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    update.push(successor);
    doomed.splice(i, 1);
  }
}
