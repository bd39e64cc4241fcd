import type { Endpoint, EndpointHints, EndpointInput, EndpointSliceInput } from '../../../types/index.ts';
import type { Profile } from '../../../versions/index.ts';
import { drawIn, isReady, type SliceSet } from './slice-set.ts';

/**
 * Gives every ready endpoint the hint of its own zone and, for the mode SameNode, of its own node. Before
 * `trafficDistributionValidated`, one without a zone gets the hint of a zone without a name.
 *
 * Mirrors ReconcileHints (1.36, staging/src/k8s.io/endpointslice/trafficdist/trafficdist.go).
 */
export function addOwnHints(set: SliceSet, mode: 'SameZone' | 'SameNode', profile: Profile): void {
  const hintsOf = ({ zone, nodeName }: EndpointInput): EndpointHints | undefined => {
    const forZone = profile.trafficDistributionValidated ? zone : (zone ?? '');
    const forNode = mode === 'SameNode' ? nodeName : undefined;
    const hints: EndpointHints = {};
    if (typeof forZone === 'string') hints.forZones = [{ name: forZone }];
    if (typeof forNode === 'string') hints.forNodes = [{ name: forNode }];
    return hints.forZones || hints.forNodes ? hints : undefined;
  };
  const areRight = ({ endpoints }: EndpointSliceInput): boolean =>
    (endpoints ?? []).every((endpoint) => !isReady(endpoint) || hasHints(endpoint, hintsOf(endpoint)));
  drawIn(set, ({ ownHints }, slice) => {
    const right = ownHints.get(mode) ?? areRight(slice);
    ownHints.set(mode, right);
    return !right;
  });
  for (const slice of [...set.create, ...set.update]) {
    for (const endpoint of slice.endpoints) if (isReady(endpoint)) setHints(endpoint, hintsOf(endpoint));
  }
}

function setHints(endpoint: Endpoint, hints: EndpointHints | undefined): void {
  if (hints) endpoint.hints = hints;
  else delete endpoint.hints;
}

const hasHints = ({ hints }: EndpointInput, wanted: EndpointHints | undefined): boolean =>
  sameNames(hints?.forZones ?? [], wanted?.forZones ?? []) && sameNames(hints?.forNodes ?? [], wanted?.forNodes ?? []);

type Names = readonly { readonly name?: string | null | undefined }[];

const sameNames = (a: Names, b: Names): boolean => a.length === b.length && a.every(({ name }, i) => (name ?? '') === b[i]?.name);
