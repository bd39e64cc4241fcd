import { parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { type AdmissionRequest, findKind, type Registry, type User } from '../registry/index.ts';
import { collectCauses } from '../resources/field/causes.ts';
import { child, type Fields, has, sameValue, text } from '../resources/field/read.ts';
import { invalidObject } from '../resources/status.ts';
import { type AccessAttributes, type Authorizer, privilegedGroup } from './attributes.ts';

/** An admission that is called after validation. */
interface WriteCheck {
  /** @throws ApiError Invalid */
  validate(request: AdmissionRequest): void;
}

type ServedResources = Pick<Registry, 'resources' | 'store'>;

/**
 * Creates the check that the writer of an admission policy or its binding may read the objects that it uses as params. Calls without a
 * user are not checked.
 *
 * Mirrors authz.go of the policies and bindings (pkg/registry/admissionregistration, 1.36).
 */
export function createParamsCheck(authorizer: Authorizer, getServed: () => ServedResources): WriteCheck {
  return {
    validate({ resource, subresource, operation, user, object, old, key }) {
      if (resource.group !== group || !object || operation === 'DELETE' || subresource !== undefined) return;
      const check = resource.kind.endsWith('AdmissionPolicy')
        ? checkPolicy
        : resource.kind.endsWith('AdmissionPolicyBinding') && checkBinding;
      if (!check || !user || user.groups.includes(privilegedGroup)) return;
      const problem = check({ authorizer, served: getServed(), user, resource }, specOf(object), specOf(old));
      if (problem === undefined) return;
      const causes = collectCauses();
      causes.forbidden(check === checkPolicy ? 'spec.paramKind' : 'spec.paramRef', problem);
      throw invalidObject(resource, key.name, causes.list);
    },
  };
}

const group = 'admissionregistration.k8s.io';

const specOf = (object: ApiObject | undefined): Fields => child((object ?? {}) as unknown as Fields, 'spec');

interface Context {
  readonly authorizer: Authorizer;
  readonly served: ServedResources;
  readonly user: User;
  /** The resource of the policy or binding. */
  readonly resource: Resource;
}

function checkPolicy(context: Context, spec: Fields, oldSpec: Fields): string | undefined {
  if (!has(spec, 'paramKind') || sameValue(spec['paramKind'], oldSpec['paramKind'])) return undefined;
  const paramKind = child(spec, 'paramKind');
  const { attributes } = findParams(context.served, paramKind);
  if (isAllowed(context, { ...attributes, verb: 'get', name: '*', namespace: '*' })) return undefined;
  const kind = `(kind=${text(paramKind, 'kind')}, apiVersion=${text(paramKind, 'apiVersion')})`;
  return `user ${formatUser(context.user)} must have "get" permission on all objects of the referenced paramKind ${kind}`;
}

/** As upstream, updates that do not change the reference are checked, too. */
function checkBinding(context: Context, spec: Fields): string | undefined {
  if (!has(spec, 'paramRef')) return undefined;
  const paramRef = child(spec, 'paramRef');
  const policyName = text(spec, 'policyName');
  const policy = findPolicy(context, policyName);
  const paramKind = policy && has(specOf(policy), 'paramKind') ? child(specOf(policy), 'paramKind') : undefined;
  const { attributes, isServed } = paramKind ? findParams(context.served, paramKind) : { attributes: anything, isServed: true };
  const [name, namespace] = [text(paramRef, 'name'), text(paramRef, 'namespace')];
  const verb = name === '' ? 'list' : 'get';
  if (isAllowed(context, { ...attributes, verb, name, ...(namespace !== '' && { namespace }) })) return undefined;
  const user = formatUser(context.user);
  const lack = `to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`;
  if (!policy) return `unable to get policy ${policyName} ${lack}`;
  if (!isServed && paramKind) return `unable to resolve paramKind &{${text(paramKind, 'apiVersion')} ${text(paramKind, 'kind')}} ${lack}`;
  return `user ${user} does not have "${verb}" permission on the object referenced by paramRef`;
}

type ResourceAttributes = Required<Pick<AccessAttributes, 'group' | 'version' | 'resource'>>;

/** If the params are not known, the user needs permission for all resources. */
const anything: ResourceAttributes = { group: '*', version: '*', resource: '*' };

function findParams(
  { resources }: ServedResources,
  paramKind: Fields,
): { readonly attributes: ResourceAttributes; readonly isServed: boolean } {
  const [apiVersion, kind] = [text(paramKind, 'apiVersion'), text(paramKind, 'kind')];
  const resource = findKind(resources, apiVersion, kind);
  return { attributes: { ...parseApiVersion(apiVersion), resource: resource?.plural ?? '*' }, isServed: resource !== undefined };
}

function findPolicy({ served: { resources, store }, resource }: Context, name: string): ApiObject | undefined {
  const policies = resources.find((each) => each.group === group && `${each.kind}Binding` === resource.kind);
  return policies && store.find(policies, { name });
}

const isAllowed = ({ authorizer, user }: Context, attributes: Omit<AccessAttributes, 'user'>): boolean =>
  authorizer.authorize({ user, ...attributes }).isAllowed;

/** Formats a user as Go prints it. */
function formatUser({ username, uid = '', groups, extra = {} }: User): string {
  const extras = Object.entries(extra)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${key}:[${values.join(' ')}]`);
  return `&{${username} ${uid} [${groups.join(' ')}] map[${extras.join(' ')}]}`;
}
