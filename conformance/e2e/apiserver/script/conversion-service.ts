import type { ServerResponse } from 'node:http';
import { createAuthority } from '../../../../packages/apiserver/test/admission/support/certificates.ts';
import { type Behaviour, type Review, startWebhookServer } from '../../../../packages/apiserver/test/admission/support/webhook-server.ts';
import type { StartedService } from '../compare/step.ts';

interface Converted {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, string>>;
}

/** Starts a conversion webhook. `/convert` converts; an object with `spec.fault` gets the answer of that fault. */
export async function startConversionService(): Promise<StartedService> {
  const authority = await createAuthority();
  const server = await startWebhookServer(await authority.issue(['127.0.0.1']), { convert: answerReview, 'not-found': refuse });
  return {
    values: { port: String(server.port), authority: Buffer.from(authority.certificate).toString('base64') },
    close: () => server.close(),
  };
}

/** v1 has `spec.hostPort`; v2 has `spec.host` and `spec.port`. */
function convert({ spec = {}, ...object }: Converted, apiVersion: string): Converted {
  const { hostPort = '', host = '', port = '', ...others } = spec;
  const newSpec = apiVersion.endsWith('/v1')
    ? { ...others, hostPort: `${host}:${port}` }
    : { ...others, host: hostPort.split(':')[0] ?? '', port: hostPort.split(':')[1] ?? '' };
  return { ...object, apiVersion, spec: newSpec };
}

const withMetadata = (object: Converted, fields: object): Converted => ({ ...object, metadata: { ...object.metadata, ...fields } });

/** Changes of one converted object, by `spec.fault`. */
const objectFaults: Readonly<Record<string, (object: Converted) => unknown>> = {
  version: (object) => ({ ...object, apiVersion: 'script.example.com/v3' }),
  kind: (object) => ({ ...object, kind: 'Other' }),
  surplus: (object) => ({ ...object, spec: { ...object.spec, unknown: 'pruned' } }),
  'no-kind': ({ kind: _, ...object }) => ({ apiVersion: object.apiVersion }),
  text: () => 'text',
  name: (object) => withMetadata(object, { name: 'other' }),
  namespace: (object) => withMetadata(object, { namespace: 'other' }),
  uid: (object) => withMetadata(object, { uid: 'other' }),
  'no-metadata': ({ metadata: _, ...object }) => object,
  labels: (object) => withMetadata(object, { labels: { 'not valid': 'x' } }),
  'label-number': (object) => withMetadata(object, { labels: { a: 1 } }),
  'labels-list': (object) => withMetadata(object, { labels: [] }),
  annotations: (object) => withMetadata(object, { annotations: { 'not valid': 'x' } }),
  relabelled: (object) => withMetadata(object, { labels: { new: 'label' }, annotations: { new: 'note' } }),
  managed: (object) =>
    withMetadata(object, { managedFields: null, finalizers: ['example.com/x'], generation: 99, resourceVersion: '5', ownerReferences: [] }),
};

/** Changes of a whole response, by `spec.fault`. */
const responseFaults: Readonly<Record<string, object>> = {
  failure: { result: { status: 'Failure', message: 'not today' } },
  'failure-silent': { result: { status: 'Failure' } },
  'no-result': { result: null },
  count: { convertedObjects: [] },
  'null-objects': { convertedObjects: null },
};

/** Changes of the review around the response. */
const reviewFaults: Readonly<Record<string, object>> = {
  'review-version': { apiVersion: 'apiextensions.k8s.io/v1beta1' },
  'review-kind': { kind: 'Other' },
  'no-response': { response: null },
};

const rawAnswers: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  'no-json': (answer) => void answer.writeHead(200, { 'content-type': 'application/json' }).end('nonsense'),
  empty: (answer) => void answer.writeHead(200, { 'content-type': 'application/json' }).end(),
  error: (answer) => void answer.writeHead(500, { 'content-type': 'text/plain' }).end('broken'),
  hangup: (answer) => void answer.destroy(),
};

const answerReview: Behaviour = (review, answer) => {
  const { uid, desiredAPIVersion, objects } = review.request as Review['request'] & {
    readonly desiredAPIVersion: string;
    readonly objects: readonly Converted[];
  };
  const fault = objects.map(({ spec }) => spec?.['fault']).find((each) => each !== undefined) ?? '';
  const answerRaw = rawAnswers[fault];
  if (answerRaw) return answerRaw(answer);
  const convertedObjects = objects.map((object) => (objectFaults[fault] ?? ((each) => each))(convert(object, desiredAPIVersion)));
  const { apiVersion, kind } = review;
  const response = { uid, result: { status: 'Success' }, convertedObjects, ...responseFaults[fault] };
  answer.writeHead(200, { 'content-type': 'application/json' });
  answer.end(JSON.stringify({ apiVersion, kind, response, ...reviewFaults[fault] }));
};

const refuse: Behaviour = (_review, answer) => void answer.writeHead(404, { 'content-type': 'text/plain' }).end('not here\n');

/** Faults of answers for single objects. */
export const FAULTS: readonly string[] = [objectFaults, responseFaults, reviewFaults, rawAnswers].flatMap((table) => Object.keys(table));
