import type { ApiObject } from 'kube-endpoints/port';
import { type Caller, type Review, serverAudience, toUserInfo, type User } from '../registry/index.ts';
import { type Fields, has, text, texts } from '../resources/field/read.ts';
import { badRequest } from '../store/index.ts';
import type { AccessAttributes, Authorizer } from './attributes.ts';
import { findSelectorProblems } from './review-selectors.ts';
import { validateLocalReview, validateReview, validateSelfReview } from './review-validation.ts';

/** The user of in-process calls. */
const inProcessUser: User = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

/**
 * Creates the reviews by plural and group of their resource. Mirrors pkg/registry/authorization and pkg/registry/authentication (1.36).
 * @param timestamp the current time in the format of metadata
 */
export function createReviews(authorizer: Authorizer, timestamp: () => string): Readonly<Record<string, Review>> {
  const decide = (review: ApiObject, attributes: AccessAttributes): ApiObject => {
    const { isAllowed, reason } = authorizer.authorize(attributes);
    const evaluationError = findSelectorProblems(specOf(review)).join('; ');
    return { ...review, status: { allowed: isAllowed, ...(reason && { reason }), ...(evaluationError && { evaluationError }) } };
  };
  return {
    'subjectaccessreviews.authorization.k8s.io': {
      validate: validateReview,
      evaluate: (review) => decide(review, toAttributes(review, readUser(specOf(review)))),
    },
    'localsubjectaccessreviews.authorization.k8s.io': {
      validate: validateLocalReview,
      evaluate: (review) => decide(review, toAttributes(review, readUser(specOf(review)))),
    },
    'selfsubjectaccessreviews.authorization.k8s.io': {
      validate: validateSelfReview,
      evaluate: (review, { user = inProcessUser }) => decide(review, toAttributes(review, user)),
    },
    'selfsubjectrulesreviews.authorization.k8s.io': {
      validate(review) {
        if (text(specOf(review), 'namespace') === '') throw badRequest('no namespace on request');
      },
      evaluate: (review, { user = inProcessUser }) => listRules(authorizer, review, user),
    },
    'selfsubjectreviews.authentication.k8s.io': {
      validate() {},
      evaluate: ({ apiVersion, kind }, { user = inProcessUser }) => ({
        ...(apiVersion !== undefined && { apiVersion }),
        ...(kind !== undefined && { kind }),
        metadata: { creationTimestamp: timestamp() },
        status: { userInfo: toUserInfo(user) },
      }),
    },
    'tokenreviews.authentication.k8s.io': {
      validate(review) {
        if (text(specOf(review), 'token') === '') throw badRequest('token is required for TokenReview in authentication');
      },
      evaluate: reviewToken,
    },
  };
}

const specOf = (review: ApiObject): Fields => (review['spec'] ?? {}) as Fields;

function toAttributes(review: ApiObject, user: User): AccessAttributes {
  const spec = specOf(review);
  const attributes = (spec['resourceAttributes'] ?? spec['nonResourceAttributes'] ?? {}) as Fields;
  const verb = text(attributes, 'verb');
  if (!has(spec, 'resourceAttributes')) return { user, verb, path: text(attributes, 'path') };
  const namespace = text(attributes, 'namespace');
  return {
    user,
    verb,
    group: text(attributes, 'group'),
    version: text(attributes, 'version') || '*',
    resource: text(attributes, 'resource'),
    subresource: text(attributes, 'subresource'),
    name: text(attributes, 'name'),
    ...(namespace !== '' && { namespace }),
  };
}

/** Reads the user of a SubjectAccessReview. */
function readUser(spec: Fields): User {
  const uid = text(spec, 'uid');
  const extra = spec['extra'] as User['extra'];
  return { username: text(spec, 'user'), groups: texts(spec, 'groups'), ...(uid !== '' && { uid }), ...(extra && { extra }) };
}

function listRules(authorizer: Authorizer, { apiVersion, kind, ...review }: ApiObject, user: User): ApiObject {
  const { rules, isIncomplete, problem } = authorizer.listRules(user, text(specOf(review), 'namespace'));
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.flatMap(({ verbs, apiGroups, resources = [], resourceNames }) =>
        resources.length > 0 ? [{ verbs, apiGroups, resources, resourceNames }] : [],
      ),
      nonResourceRules: rules.flatMap(({ verbs, nonResourceURLs = [] }) =>
        nonResourceURLs.length > 0 ? [{ verbs, nonResourceURLs }] : [],
      ),
      incomplete: isIncomplete,
      ...(problem && { evaluationError: problem }),
    },
  };
}

function reviewToken(review: ApiObject, { findUser }: Caller): ApiObject {
  const spec = specOf(review);
  const requested = texts(spec, 'audiences');
  const found = findUser?.(text(spec, 'token'), requested.length > 0 ? requested : [serverAudience]);
  const status = found
    ? { authenticated: true, user: toUserInfo(found.user), audiences: found.audiences }
    : { user: {}, error: 'invalid bearer token' };
  return { ...review, status };
}
