import deepEqual from 'fast-deep-equal';
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
 * Whether two lists of subsets mean the same: order counts; absent, null and empty are equal, except for `nodeName`,
 * `appProtocol` and `targetRef`, which are pointers; fields that the API does not have are not looked at.
 *
 * Mirrors apiequality.Semantic.DeepEqual and endpointSubsetsEqualIgnoreResourceVersion (1.36,
 * pkg/controller/endpoint/endpoints_controller.go).
 */
export const sameSubsets = (a: readonly EndpointSubsetInput[], b: readonly EndpointSubsetInput[], profile: Profile): boolean =>
  deepEqual(comparable(a, profile), comparable(b, profile));

/** Whether two maps of strings are the same; absent and empty are. */
export const sameMap = (a: Optional<StringMap>, b: Optional<StringMap>): boolean => {
  const entries = Object.entries(a ?? {});
  const other = b ?? {};
  return entries.length === Object.keys(other).length && entries.every(([key, value]) => Object.hasOwn(other, key) && other[key] === value);
};

function comparable(subsets: readonly EndpointSubsetInput[], profile: Profile): EndpointSubset[] {
  const read = subsets.map((subset) => readSubset(subset, profile));
  if (profile.targetResourceVersionNotCompared) {
    for (const { addresses, notReadyAddresses } of read) {
      for (const { targetRef } of [...(addresses ?? []), ...(notReadyAddresses ?? [])]) delete targetRef?.resourceVersion;
    }
  }
  return read;
}

/** A subset in the form in which a release writes it, with the fields its API has; the result shares nothing with the input. */
export function readSubset({ addresses, notReadyAddresses, ports }: EndpointSubsetInput, profile: Profile): EndpointSubset {
  return {
    ...(addresses?.length && { addresses: addresses.map(readAddress) }),
    ...(notReadyAddresses?.length && { notReadyAddresses: notReadyAddresses.map(readAddress) }),
    ...(ports?.length && { ports: ports.map((port) => readPort(port, profile)) }),
  };
}

const readAddress = ({ ip, hostname, nodeName, targetRef }: EndpointAddressInput): EndpointAddress => ({
  ip: ip ?? '',
  ...(hostname && { hostname }),
  ...(typeof nodeName === 'string' && { nodeName }),
  ...(targetRef && { targetRef: readTarget(targetRef) }),
});

const readPort = ({ name, port, protocol, appProtocol }: EndpointPortInput, profile: Profile): EndpointPort => ({
  ...(name && { name }),
  port: port ?? 0,
  ...(protocol && { protocol }),
  ...(profile.appProtocolPrinted && typeof appProtocol === 'string' && { appProtocol }),
});

/** A reference in the form in which it is written; the result shares nothing with the input. */
export const readTarget = ({ kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath }: ObjectReference): TargetRef => ({
  ...(kind && { kind }),
  ...(namespace && { namespace }),
  ...(name && { name }),
  ...(uid && { uid }),
  ...(apiVersion && { apiVersion }),
  ...(resourceVersion && { resourceVersion }),
  ...(fieldPath && { fieldPath }),
});
