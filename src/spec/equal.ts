import { semanticEqual } from '../apimachinery/equal.ts';
import type {
  EndpointAddress,
  EndpointAddressInput,
  EndpointPort,
  EndpointPortInput,
  EndpointSubset,
  EndpointSubsetInput,
  ObjectReference,
  Optional,
  StringMap,
  TargetRef,
} from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/**
 * Whether two lists of subsets are semantically equal. Order counts; absent, null and empty are equal, except for `nodeName`,
 * `appProtocol` and `targetRef`, which are pointers. Fields outside the API are ignored.
 *
 * Mirrors apiequality.Semantic.DeepEqual and endpointSubsetsEqualIgnoreResourceVersion (1.36,
 * pkg/controller/endpoint/endpoints_controller.go).
 */
export const sameSubsets = (a: readonly EndpointSubsetInput[], b: readonly EndpointSubsetInput[], profile: Profile): boolean =>
  sameLists(a, b, (one, other) => {
    const sameAddress = (x: EndpointAddressInput, y: EndpointAddressInput): boolean => haveSameAddressFields(x, y, profile);
    return (
      sameLists(one.ports, other.ports, (x, y) => haveSamePortFields(x, y, profile)) &&
      sameLists(one.addresses, other.addresses, sameAddress) &&
      sameLists(one.notReadyAddresses, other.notReadyAddresses, sameAddress)
    );
  });

function sameLists<T>(a: Optional<readonly T[]>, b: Optional<readonly T[]>, same: (x: T, y: T) => boolean): boolean {
  const [left, right] = [a ?? [], b ?? []];
  return left.length === right.length && left.every((each, i) => same(each, right[i] as T));
}

const haveSameAddressFields = (a: EndpointAddressInput, b: EndpointAddressInput, profile: Profile): boolean =>
  sameText(a.ip, b.ip) &&
  sameText(a.hostname, b.hostname) &&
  samePointer(a.nodeName, b.nodeName) &&
  sameTarget(a.targetRef, b.targetRef, profile);

const haveSamePortFields = (a: EndpointPortInput, b: EndpointPortInput, profile: Profile): boolean =>
  sameText(a.name, b.name) &&
  (a.port ?? 0) === (b.port ?? 0) &&
  sameText(a.protocol, b.protocol) &&
  (!profile.appProtocolPrinted || samePointer(a.appProtocol, b.appProtocol));

/** Whether two references are equal. An absent reference differs from an empty one. */
export function sameTarget(a: Optional<ObjectReference>, b: Optional<ObjectReference>, profile: Profile): boolean {
  if (!a || !b) return !a === !b;
  return (
    sameText(a.uid, b.uid) &&
    sameText(a.name, b.name) &&
    sameText(a.namespace, b.namespace) &&
    sameText(a.kind, b.kind) &&
    sameText(a.apiVersion, b.apiVersion) &&
    sameText(a.fieldPath, b.fieldPath) &&
    (profile.targetResourceVersionNotCompared || sameText(a.resourceVersion, b.resourceVersion))
  );
}

const sameText = (a: Optional<string>, b: Optional<string>): boolean => (a ?? '') === (b ?? '');

/** Equality of Go pointers: absent and null are equal, and both differ from empty. */
export const samePointer = (a: Optional<string | boolean>, b: Optional<string | boolean>): boolean => (a ?? undefined) === (b ?? undefined);

/** Whether two maps of strings are equal. Absent equals empty. */
export const sameMap = (a: Optional<StringMap>, b: Optional<StringMap>): boolean => semanticEqual(a, b);

/** Normalizes a subset to the release's form and API fields. The result shares nothing with the input. */
export function normalizeSubset({ addresses, notReadyAddresses, ports }: EndpointSubsetInput, profile: Profile): EndpointSubset {
  return {
    ...(addresses?.length && { addresses: addresses.map(normalizeAddress) }),
    ...(notReadyAddresses?.length && { notReadyAddresses: notReadyAddresses.map(normalizeAddress) }),
    ...(ports?.length && { ports: ports.map((port) => normalizePort(port, profile)) }),
  };
}

const normalizeAddress = ({ ip, hostname, nodeName, targetRef }: EndpointAddressInput): EndpointAddress => ({
  ip: ip ?? '',
  ...(hostname && { hostname }),
  ...(typeof nodeName === 'string' && { nodeName }),
  ...(targetRef && { targetRef: normalizeTarget(targetRef) }),
});

const normalizePort = ({ name, port, protocol, appProtocol }: EndpointPortInput, profile: Profile): EndpointPort => ({
  ...(name && { name }),
  port: port ?? 0,
  ...(protocol && { protocol }),
  ...(profile.appProtocolPrinted && typeof appProtocol === 'string' && { appProtocol }),
});

/** Normalizes a reference to its written form. The result shares nothing with the input. */
export const normalizeTarget = ({ kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath }: ObjectReference): TargetRef => ({
  ...(kind && { kind }),
  ...(namespace && { namespace }),
  ...(name && { name }),
  ...(uid && { uid }),
  ...(apiVersion && { apiVersion }),
  ...(resourceVersion && { resourceVersion }),
  ...(fieldPath && { fieldPath }),
});
