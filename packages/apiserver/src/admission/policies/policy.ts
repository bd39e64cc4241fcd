import type { ApiObject, Resource } from 'kube-endpoints/port';
import {
  type AdmissionCompiler,
  convertSubject,
  type createAdmissionCompilers,
  createAuthorizerValue,
  createEvaluator,
  type Evaluator,
  type SubjectValues,
} from '../../cel/admission-expressions.ts';
import type { AuthorizerValue, CelAuthorizer } from '../../cel/authorizer.ts';
import type { AdmissionRequest, Registry } from '../../registry/index.ts';
import { child, type Fields, list, text } from '../../resources/field/read.ts';
import type { Store } from '../../store/index.ts';
import type { Conditions } from '../conditions.ts';
import { getNamespace } from '../labels.ts';
import { convertObjects, type ObjectConverter } from '../object-converter.ts';
import { createReviewRequest, defaultUser } from '../webhooks/review.ts';
import { type MatchResources, readMatchResources } from './match.ts';
import { type ParamKind, readParamKind } from './params.ts';

/** What ValidatingAdmissionPolicies and MutatingAdmissionPolicies have in common. */
export interface Policy extends Conditions {
  readonly name: string;
  readonly match: MatchResources;
  readonly paramKind: ParamKind | undefined;
  readonly compiler: AdmissionCompiler;
}

export interface PolicyContext {
  readonly store: Pick<Store, 'get'>;
  readonly converter: ObjectConverter;
  readonly authorizer: CelAuthorizer;
  getServed(): Pick<Registry, 'resources' | 'storeFor' | 'strategyFor'>;
}

/** Compiles the common parts of a policy. */
export function compilePolicy(
  { metadata, ...object }: ApiObject,
  createCompiler: ReturnType<typeof createAdmissionCompilers>,
): Policy & { readonly spec: Fields } {
  const spec = child(object as unknown as Fields, 'spec');
  const paramKind = readParamKind(spec);
  const compiler = createCompiler({ hasParams: paramKind !== undefined, hasVariables: true });
  for (const variable of list(spec, 'variables')) compiler.declareVariable(text(variable, 'name'), text(variable, 'expression'));
  return {
    name: metadata.name ?? '',
    match: readMatchResources(child(spec, 'matchConstraints')),
    paramKind,
    ignoresFailure: text(spec, 'failurePolicy') === 'Ignore',
    conditions: list(spec, 'matchConditions').map((each) => compiler.compile(text(each, 'expression'), ['bool'])),
    compiler,
    spec,
  };
}

/** The values with which a policy is evaluated. */
export interface PolicyInput {
  /** The object in the form of the resource that the policy matches; undefined for deletions. */
  readonly object: ApiObject | undefined;
  readonly values: SubjectValues;
  /** The values for match conditions, which have no namespaceObject. */
  readonly conditionValues: SubjectValues;
  readonly authorizer: AuthorizerValue;
}

/**
 * Creates the input for a policy that matches a request.
 * @throws ApiError NotFound if the namespace of the request does not exist
 */
export async function createPolicyInput(
  { store, converter, authorizer }: PolicyContext,
  request: AdmissionRequest,
  resource: Resource,
  params: ApiObject | undefined,
): Promise<PolicyInput> {
  const objects = await convertObjects(converter, request, resource);
  const { object, oldObject, uid: _, ...reviewRequest } = createReviewRequest({ uid: '', request, resource, ...objects });
  const { namespace = '' } = request.key;
  const namespaceObject = namespace === '' ? undefined : selectNamespaceFields(getNamespace(store, namespace));
  const subject = { object, oldObject, request: reviewRequest, ...(params && { params }) };
  const values = convertSubject({ ...subject, ...(namespaceObject && { namespaceObject }) });
  const conditionRequest = { ...reviewRequest, resource: reviewRequest['requestResource'] };
  return {
    object: objects.object,
    values,
    conditionValues: { ...values, ...convertSubject({ object: null, oldObject: null, request: conditionRequest }), ...objectsOf(values) },
    authorizer: createAuthorizerValue({ authorizer, user: request.user ?? defaultUser }, reviewRequest),
  };
}

const objectsOf = ({ object, oldObject, params }: SubjectValues): SubjectValues => ({ object, oldObject, params });

/** Mirrors CreateNamespaceObject: expressions cannot read the managed fields and owner references of a namespace. */
function selectNamespaceFields({ metadata, ...namespace }: ApiObject): object {
  const { managedFields: _managedFields, ownerReferences: _ownerReferences, ...fields } = metadata;
  return { metadata: fields, spec: namespace['spec'] ?? {}, status: namespace['status'] ?? {} };
}

/** Cost limit of all expressions of one kind of a policy for one request. Mirrors RuntimeCELCostBudget. */
export const maxPolicyCost = 10_000_000;

/** Creates an evaluator for one kind of the expressions of a policy. */
export const createPolicyEvaluator = (
  { compiler }: Policy,
  { values, authorizer }: PolicyInput,
  { hasAuthorizer = true, budget = maxPolicyCost }: { readonly hasAuthorizer?: boolean; readonly budget?: number } = {},
): Evaluator => createEvaluator(compiler, values, hasAuthorizer ? authorizer : undefined, budget);
