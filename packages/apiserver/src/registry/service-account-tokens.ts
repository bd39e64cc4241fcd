import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { type ApiObject, type ObjectKey, type Resource, resources } from 'kube-endpoints/port';
import { collectCauses } from '../resources/field/causes.ts';
import { child, type Fields, number, text, texts } from '../resources/field/read.ts';
import { invalidObject } from '../resources/status.ts';
import { badRequest, type Clock, conflict, type Store } from '../store/index.ts';
import type { TokenUser } from './caller.ts';
import { type Randomness, timestampOf } from './context.ts';

/** The audience of the API server, which is also the issuer of its tokens. */
export const serverAudience = 'https://kubernetes.default.svc';

/** Tokens of ServiceAccounts: signed with a key of this server, and valid as long as the ServiceAccount and the bound object exist. */
export interface ServiceAccountTokens {
  /** Answers a TokenRequest. @throws ApiError if it is invalid, or if the ServiceAccount or the bound object does not exist */
  issue(key: ObjectKey, request: ApiObject): ApiObject;
  /** Returns the user of a token; undefined if it is invalid or for none of the audiences. */
  findUser(token: string, audiences?: readonly string[]): TokenUser | undefined;
}

const serviceAccounts: Resource = { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true };
const secrets: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };

interface Options {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** The private key (P-256) that signs the tokens; by default, one is created at first use. */
  readonly signingKey?: KeyObject;
}

/** Mirrors TokenREST (pkg/registry/core/serviceaccount/storage/token.go) and pkg/serviceaccount (1.36). */
export function createServiceAccountTokens({ store, clock, randomness, signingKey }: Options): ServiceAccountTokens {
  let keys = signingKey && { privateKey: signingKey, publicKey: createPublicKey(signingKey) };
  const keyPair = () => (keys ??= generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    issue(key, request) {
      const account = store.get(serviceAccounts, key);
      const now = clock.now();
      const answer = completeRequest(request, account, now);
      const spec = child(answer, 'spec');
      const seconds = Math.floor(now / 1000);
      const claims = {
        aud: spec['audiences'],
        exp: seconds + number(spec, 'expirationSeconds'),
        iat: seconds,
        iss: serverAudience,
        jti: randomness.uuid(),
        'kubernetes.io': {
          namespace: key.namespace,
          serviceaccount: { name: key.name, uid: account.metadata.uid },
          ...findBoundObject(store, account, child(spec, 'boundObjectRef')),
        },
        nbf: seconds,
        sub: usernameOf(key),
      };
      const content = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`;
      const signature = sign('sha256', Buffer.from(content), { key: keyPair().privateKey, dsaEncoding: 'ieee-p1363' });
      const expirationTimestamp = timestampOf(now + number(spec, 'expirationSeconds') * 1000);
      return { ...answer, status: { token: `${content}.${signature.toString('base64url')}`, expirationTimestamp } };
    },
    findUser(token, audiences = [serverAudience]) {
      const [header = '', body = '', signature, ...rest] = token.split('.');
      if (!keys || signature === undefined || rest.length > 0) return undefined;
      const bytes = Buffer.from(signature, 'base64url');
      const isSigned = verify('sha256', Buffer.from(`${header}.${body}`), { key: keys.publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
      return isSigned ? userOf(store, JSON.parse(Buffer.from(body, 'base64url').toString()) as Fields, audiences, clock.now()) : undefined;
    },
  };
}

const usernameOf = ({ namespace = '', name }: ObjectKey): string => `system:serviceaccount:${namespace}:${name}`;

/** Fills in the defaults of a TokenRequest. @throws ApiError if it is invalid */
function completeRequest(request: ApiObject, { metadata: account }: ApiObject, now: number): ApiObject {
  const { name = '', namespace = '' } = account;
  const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
  const causes = collectCauses();
  for (const field of ['name', 'namespace'] as const) {
    const value = request.metadata[field];
    if (value !== undefined && value !== account[field]) {
      causes.invalid(`metadata.${field}`, value, `must match the service account ${field} if specified`);
      throw invalidObject(kind, name, causes.list);
    }
  }
  const { uid } = request.metadata;
  if (uid !== undefined && uid !== account.uid) {
    const problem = `the UID in the token request (${uid}) does not match the UID of the service account (${account.uid})`;
    throw conflict({ ...serviceAccounts, group: kind.group, plural: kind.kind }, name, problem);
  }
  const spec = child(request, 'spec');
  const expirationSeconds = (spec['expirationSeconds'] as number | undefined) ?? defaultSeconds;
  if (expirationSeconds < minSeconds)
    causes.invalid('spec.expirationSeconds', expirationSeconds, 'may not specify a duration less than 10 minutes');
  if (expirationSeconds > 2 ** 32)
    causes.invalid('spec.expirationSeconds', expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  if (causes.list.length > 0) throw invalidObject(kind, '', causes.list);
  const audiences = texts(spec, 'audiences');
  return {
    ...request,
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name, namespace, ...(account.uid !== undefined && { uid: account.uid }), creationTimestamp: timestampOf(now) },
    spec: {
      ...spec,
      audiences: audiences.length > 0 ? audiences : [serverAudience],
      expirationSeconds,
      boundObjectRef: spec['boundObjectRef'] ?? null,
    },
  };
}

const defaultSeconds = 3600;
const minSeconds = 600;

/** The claims about the object to which a token is bound. @throws ApiError if it does not exist or is another one */
function findBoundObject(store: Store, account: ApiObject, reference: Fields): Fields {
  const kind = text(reference, 'kind');
  if (kind === '') return {};
  const resource = boundResources[kind];
  const apiVersion = text(reference, 'apiVersion') || 'v1';
  if (!resource || apiVersion !== 'v1')
    throw badRequest(`cannot bind token to object of type ${apiVersion.replace(/^v1$/, '/v1')}, Kind=${kind}`);
  const { namespace = '', name = '' } = account.metadata;
  const object = store.get(resource, { ...(resource.namespaced && { namespace }), name: text(reference, 'name') });
  const { uid } = object.metadata;
  const podAccount = text(child(object, 'spec'), 'serviceAccountName');
  if (kind === 'Pod' && podAccount !== name) {
    throw badRequest(`cannot bind token for serviceaccount "${name}" to pod running with different serviceaccount name.`);
  }
  const requiredUid = text(reference, 'uid');
  if (requiredUid !== '' && requiredUid !== uid) {
    const problem = `the UID in the bound object reference (${requiredUid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ ...resource, plural: kind }, text(reference, 'name'), problem);
  }
  return { [kind.toLowerCase()]: { name: object.metadata.name, uid } };
}

const boundResources: Readonly<Record<string, Resource>> = { Pod: resources.pods, Secret: secrets, Node: resources.nodes };

function userOf(store: Store, claims: Fields, requestedAudiences: readonly string[], now: number): TokenUser | undefined {
  const own = child(claims, 'kubernetes.io');
  const account = child(own, 'serviceaccount');
  const key = { namespace: text(own, 'namespace'), name: text(account, 'name') };
  const audiences = texts(claims, 'aud').filter((each) => requestedAudiences.includes(each));
  const isValid = number(claims, 'exp') * 1000 > now && audiences.length > 0;
  if (!isValid || store.find(serviceAccounts, key)?.metadata.uid !== account['uid']) return undefined;
  const extra: Record<string, readonly string[]> = { 'authentication.kubernetes.io/credential-id': [`JTI=${text(claims, 'jti')}`] };
  for (const [kind, resource] of Object.entries(boundResources)) {
    const bound = child(own, kind.toLowerCase());
    if (text(bound, 'name') === '') continue;
    const object = store.find(resource, { ...(resource.namespaced && { namespace: key.namespace }), name: text(bound, 'name') });
    if (object?.metadata.uid !== bound['uid']) return undefined;
    if (kind === 'Secret') continue;
    extra[`authentication.kubernetes.io/${kind.toLowerCase()}-name`] = [text(bound, 'name')];
    extra[`authentication.kubernetes.io/${kind.toLowerCase()}-uid`] = [text(bound, 'uid')];
  }
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${key.namespace}`, 'system:authenticated'];
  return { user: { username: usernameOf(key), uid: text(account, 'uid'), groups, extra }, audiences };
}
