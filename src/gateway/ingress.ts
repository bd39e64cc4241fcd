import { resolveIngressBackend } from './backends.ts';
import { createEntry, createPathNotFound, type Entry } from './entry.ts';
import { findSecret } from './gateway.ts';
import { compareHosts, ingressHostMatches } from './hosts.ts';
import { pathHasPrefix, trimSlash } from './match.ts';
import type { Ingress, IngressBackend } from './objects.ts';
import { createReason, type GatewayReason } from './reasons.ts';
import { formatReference, type GatewayReference, referenceTo } from './reference.ts';
import type { Request } from './request.ts';
import { findIngressClass, type IngressClassResult, type World } from './world.ts';

/** The Ingresses that one controller serves. */
export interface IngressGroup {
  /** Undefined if the Ingresses have no class. */
  readonly className: string | undefined;
  readonly ingresses: readonly { readonly ingress: Ingress; readonly object: GatewayReference; readonly result: IngressClassResult }[];
}

export function groupIngresses(world: World): IngressGroup[] {
  const members = (world.lists.ingresses ?? []).map((ingress) => ({
    ingress,
    object: referenceTo('Ingress', ingress),
    result: findIngressClass(ingress, world),
  }));
  return [...Map.groupBy(members, ({ result }) => result.name)].map(([className, ingresses]) => ({ className, ingresses }));
}

type Member = IngressGroup['ingresses'][number];

interface PathRule {
  readonly member: Member;
  readonly path: string;
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly backend: IngressBackend;
  readonly matches: boolean;
  /** The IngressClass decides whether it matches. */
  readonly isOpen: boolean;
}

export function routeThroughIngresses({ className, ingresses }: IngressGroup, request: Request, world: World): Entry {
  const { scheme, host, port } = request;
  const name = className === undefined ? 'Ingresses without a class' : `Ingresses of class ${className}`;
  const expected = { http: 80, https: 443 }[scheme as string];
  const rules = ingresses.flatMap((member) => listRules(member, request)).sort(compareRules);
  const hosts = ingresses.flatMap(({ ingress }) => (ingress.spec?.rules ?? []).map((rule) => rule.host ?? ''));
  const hostname = hosts.filter((each) => ingressHostMatches(each, host)).sort((a, b) => compareHosts(b, a))[0];
  if (port !== expected) {
    const reason = createReason('PortNotFound', { scheme, port: String(port ?? ''), declared: '; Ingresses have http 80 and https 443' });
    return { level: hostname ? 1 : 0, name, hostname: '', answer: { backends: [], reasons: [reason] } };
  }
  const inHost = rules.filter((rule) => rule.host === hostname);
  const winner = inHost.find(({ matches }) => matches);
  const open = findOpenRules(inHost, winner);
  if (winner) {
    const match = `host ${winner.host || '(any)'}, ${winner.type} ${winner.value}`;
    const reason = createReason('RuleMatches', { match }, { object: winner.member.object, path: winner.path });
    return createAnswer(winner, [reason, ...open], { name, hostname: winner.host, ingresses }, request, world);
  }
  const fallthrough = rules.find(({ matches }) => matches);
  if (fallthrough) {
    const location = { object: fallthrough.member.object, path: fallthrough.path };
    open.push(createReason('HostFallthrough', { host: JSON.stringify(hostname) }, location));
  }
  const fallback = findDefault(ingresses, hostname);
  if (fallback.rule) {
    const reason = createReason('DefaultBackend', {}, { object: fallback.rule.member.object, path: fallback.rule.path });
    return createAnswer(fallback.rule, [reason, ...open, ...fallback.open], { name, hostname: hostname ?? '', ingresses }, request, world);
  }
  if (open.length > 0) return createEntry(name, hostname ?? '', { backends: [], reasons: open }, []);
  if (hostname === undefined) return { level: 0, name, hostname: '', answer: { backends: [], reasons: [] } };
  const reasons = [
    createPathNotFound(
      request,
      inHost.map(({ value }) => value),
    ),
  ];
  return { level: 1, name, hostname: '', answer: { backends: [], reasons } };
}

/** The paths of an Ingress whose host matches. */
function listRules(member: Member, request: Request): PathRule[] {
  const rules = (member.ingress.spec?.rules ?? []).flatMap((rule, i) =>
    (rule.http?.paths ?? []).map(({ path, pathType, backend }, j): PathRule => {
      const [type, value] = [pathType ?? 'ImplementationSpecific', path || '/'];
      return {
        member,
        path: `spec.rules[${i}].http.paths[${j}]`,
        host: rule.host ?? '',
        type,
        value,
        backend: backend ?? {},
        matches: type === 'Exact' ? request.path === value : pathHasPrefix(request.path, value),
        isOpen: type === 'ImplementationSpecific' && mayMatch(value, request.path),
      };
    }),
  );
  return rules.filter(({ host }) => ingressHostMatches(host, request.host));
}

/** Whether an implementation may match the path: it begins with the text before the first special character. */
function mayMatch(value: string, path: string): boolean {
  if (value.includes('|')) return true;
  const [literal = ''] = value.split(/[.[({^$+\\]|.?[*?]/s);
  return path.startsWith(trimSlash(literal));
}

/** Orders by precedence: the host, then the number of elements, then Exact before other types. */
const compareRules = (a: PathRule, b: PathRule): number =>
  compareHosts(b.host, a.host) ||
  trimSlash(b.value).split('/').length - trimSlash(a.value).split('/').length ||
  Number(b.type === 'Exact') - Number(a.type === 'Exact');

/** The questions that could choose another rule for the host. */
function findOpenRules(rules: readonly PathRule[], winner: PathRule | undefined): GatewayReason[] {
  const locate = ({ member, path }: PathRule): { object: GatewayReference; path: string } => ({ object: member.object, path });
  const before = winner ? rules.slice(0, rules.indexOf(winner) + 1) : rules;
  const specific = before.filter((rule) => rule.isOpen && (rule === winner || !winner || !isSameBackend(rule, winner)));
  const equal = rules.find(
    (rule) => winner && rule.matches && rule !== winner && compareRules(rule, winner) === 0 && !isSameBackend(rule, winner),
  );
  const other = equal ? `${equal.path} of ${formatReference(equal.member.object)}` : '';
  return [
    ...specific.map((rule) => createReason('ImplementationSpecificPath', {}, locate(rule))),
    ...(winner && equal ? [createReason('RulesConflict', { other }, locate(winner))] : []),
  ];
}

const isSameBackend = (a: PathRule, b: PathRule): boolean =>
  a.member.object.namespace === b.member.object.namespace && JSON.stringify(a.backend) === JSON.stringify(b.backend);

/** The default backend that receives a request: of an Ingress with rules for the host, otherwise of any. */
function findDefault(
  members: readonly Member[],
  hostname: string | undefined,
): { readonly rule?: PathRule; readonly open: readonly GatewayReason[] } {
  const all = members.flatMap((member): PathRule[] => {
    const backend = member.ingress.spec?.defaultBackend;
    if (!backend) return [];
    return [{ member, path: 'spec.defaultBackend', host: '', type: '', value: '', backend, matches: true, isOpen: false }];
  });
  const ofHost = all.filter(({ member }) => (member.ingress.spec?.rules ?? []).some(({ host }) => (host ?? '') === hostname));
  const candidates = ofHost.length > 0 ? ofHost : all;
  const [rule] = candidates;
  return rule ? { rule, open: findOpenRules(candidates, rule) } : { open: [] };
}

interface Group {
  readonly name: string;
  readonly hostname: string;
  readonly ingresses: readonly Member[];
}

function createAnswer(
  { member, path, backend }: PathRule,
  reasons: readonly GatewayReason[],
  { name, hostname, ingresses }: Group,
  request: Request,
  world: World,
): Entry {
  const { object, result } = member;
  const source = { object, path: `${path}${path === 'spec.defaultBackend' ? '' : '.backend'}` };
  const { reasons: found, ...resolved } = resolveIngressBackend(backend, source, world);
  const via = { route: object, path, ...(result.name !== undefined && { ingressClass: result.name }) };
  const all = [...reasons, ...found, ...checkTls(ingresses, member, request, world)];
  return createEntry(name, hostname, { via, backends: [{ ...resolved, share: 1 }], reasons: all }, result.reasons);
}

/** Notes about spec.tls. An entry without hosts is for all of them. */
function checkTls(members: readonly Member[], { object }: Member, { scheme, host }: Request, world: World): GatewayReason[] {
  const entries = members.flatMap((member) =>
    (member.ingress.spec?.tls ?? []).map((tls, i) => ({ tls, location: { object: member.object, path: `spec.tls[${i}]` } })),
  );
  const covering = entries.find(({ tls }) => (tls.hosts ?? []).length === 0 || tls.hosts?.some((each) => ingressHostMatches(each, host)));
  if (scheme === 'http') return covering ? [createReason('HttpsRedirectPossible', { host: JSON.stringify(host) }, covering.location)] : [];
  if (!covering) return [createReason('CertificateMissing', { host: JSON.stringify(host) }, { object, path: 'spec.tls' })];
  const { secretName } = covering.tls;
  return secretName ? findSecret(`${covering.location.object.namespace}/${secretName}`, covering.location, world) : [];
}
