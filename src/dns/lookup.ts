import { findPods } from './lookup-pods.ts';
import { findServices } from './lookup-services.ts';
import { findWildcards } from './lookup-wildcards.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import { type Asked, isReason, isWild, parseRequest } from './request.ts';
import { isReverseName } from './settings.ts';
import { empty, hiddenNamespace, type Lookup, missing, type World } from './world.ts';

/** Mirrors Records (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function lookUp(world: World, asked: Asked): Lookup {
  const request = parseRequest(asked);
  if (isReason(request)) return missing(request);
  if (request.tree === '') return empty(nameWithoutRecords(asked));
  if (isReverseName(asked.lower)) return missing(reasonOf('NameIsReverse', { name: asked.name }));
  const { gates } = world.settings;
  const anyNamespace = isWild(request.namespace, gates);
  const hidden = anyNamespace ? undefined : hiddenNamespace(world, request.namespace);
  if (hidden) return missing(hidden);
  if (request.tree === 'pod') return findPods(world, request);
  if (request.service === '') return empty(nameWithoutRecords(asked));
  if (anyNamespace || isWild(request.service, gates)) return findWildcards(world, asked, request);
  return findServices(world, request);
}

const nameWithoutRecords = ({ name, base, zone }: Asked): DnsReason =>
  base === '' ? reasonOf('NoRecordAtApex', { zone }) : reasonOf('NameHoldsOthers', { name });
