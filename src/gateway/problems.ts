import { sortReasons } from './answer.ts';
import { allListeners, attachRoutes, findSetFailures, type RouteInfo, routeLists } from './attach.ts';
import { resolveIngressBackend, resolveRule } from './backends.ts';
import { checkListener, findSecret } from './gateway.ts';
import { groupIngresses, type IngressGroup } from './ingress.ts';
import type { GatewayObjects, IngressBackend, NamedObject } from './objects.ts';
import { type GatewayReason, verdictOf } from './reasons.ts';
import { formatReference, referenceTo } from './reference.ts';
import { findInvalid } from './validate.ts';
import { checkGateway, createWorld, type World } from './world.ts';

/**
 * Finds what is wrong with Ingresses, Gateways and routes, and what the objects leave open, without a request: docs/semantics/gateway.md.
 * Objects that an API server does not accept are not checked further.
 */
export function findRouteProblems(objects: GatewayObjects): GatewayReason[] {
  const all = createWorld(objects, {});
  const invalid = findInvalid(all);
  const names = new Set(invalid.map(({ object }) => object && formatReference(object)));
  const world = { ...all, lists: removeInvalid(all.lists, names) };
  const gateways = world.lists.gateways ?? [];
  return sortReasons(
    [
      ...invalid,
      ...groupIngresses(world).flatMap(({ ingresses }) => ingresses.flatMap((member) => checkIngress(member, world))),
      ...gateways.flatMap((gateway) => [
        ...checkGateway(gateway, world),
        ...allListeners(gateway, world).flatMap((listener) => checkListener(listener, world)),
      ]),
      ...findSetFailures(world),
      ...attachRoutes(world).flatMap((info) => [...info.failures, ...checkRules(info, world)]),
    ],
    'error',
  );
}

const checkedLists = [['ingresses', 'Ingress'], ['gateways', 'Gateway'], ['listenerSets', 'ListenerSet'], ...routeLists] as const;

function removeInvalid(lists: World['lists'], names: ReadonlySet<string | undefined>): World['lists'] {
  const kept = checkedLists.flatMap(([list, kind]) => {
    const objects: readonly NamedObject[] | undefined = lists[list];
    return objects ? [[list, objects.filter((each) => !names.has(formatReference(referenceTo(kind, each))))]] : [];
  });
  return { ...lists, ...Object.fromEntries(kept) };
}

function checkIngress({ ingress, object, result }: IngressGroup['ingresses'][number], world: World): GatewayReason[] {
  const { defaultBackend, rules, tls } = ingress.spec ?? {};
  const backends: { readonly backend: IngressBackend; readonly path: string }[] = [
    ...(defaultBackend ? [{ backend: defaultBackend, path: 'spec.defaultBackend' }] : []),
    ...(rules ?? []).flatMap(({ http }, i) =>
      (http?.paths ?? []).map(({ backend }, j) => ({ backend: backend ?? {}, path: `spec.rules[${i}].http.paths[${j}].backend` })),
    ),
  ];
  return [
    ...result.reasons,
    ...backends.flatMap(({ backend, path }) => resolveIngressBackend(backend, { object, path }, world).reasons),
    ...(tls ?? []).flatMap(({ secretName }, i) =>
      secretName ? findSecret(`${object.namespace}/${secretName}`, { object, path: `spec.tls[${i}].secretName` }, world) : [],
    ),
  ];
}

/** The backends of all rules, also those of mirrors; and, if they have no problem, what the controller reports. */
function checkRules({ route, reference, attachments }: RouteInfo, world: World): GatewayReason[] {
  const found = (route.spec?.rules ?? []).flatMap(
    (rule, i) => resolveRule(rule, { object: reference, path: `spec.rules[${i}]` }, 0, world).reasons,
  );
  const reported = attachments.flatMap(({ open, unresolved }) => [...open, ...unresolved]);
  return found.some(({ code }) => verdictOf(code) === 'error') ? found : [...found, ...reported];
}
