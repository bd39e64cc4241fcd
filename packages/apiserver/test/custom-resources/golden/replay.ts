import { createCustomResources, type ValidatorOptions } from '../../../src/custom-resources/index.ts';
import type { HttpAnswer } from '../../../src/http/exchange.ts';
import { createFixture, type Fixture } from '../../http/support.ts';
import { normalize } from './normalize.ts';
import type { Answer, Json, RequestStep, Step } from './steps.ts';

/** A step with the recorded answer of kube-apiserver. */
export type RecordedStep = (RequestStep & Answer) | Extract<Step, { await: string }>;

export interface Recording {
  readonly name: string;
  readonly steps: readonly RecordedStep[];
}

/** Sends the requests of a recording to this server. @returns its answers; undefined for steps that wait */
export async function replay({ steps }: Recording, validation: ValidatorOptions = {}): Promise<readonly (Answer | undefined)[]> {
  const fixture = await createFixture({}, { managesFields: true });
  const custom = createCustomResources({ registry: fixture.registry, catalog: fixture.catalog, clock: fixture.clock, validation });
  const answers: (Answer | undefined)[] = [];
  for (const step of steps) {
    if ('await' in step) await custom.settle();
    else {
      answers.push(await sendStep(fixture, step));
      // Completes the controller's work after a write, as the recording waited for it.
      await custom.settle();
      continue;
    }
    answers.push(undefined);
  }
  custom.close();
  return answers;
}

async function sendStep(fixture: Fixture, { method, path, body, type, accept }: RequestStep): Promise<Answer> {
  const headers = { ...(type !== undefined && { 'content-type': type }), ...(accept !== undefined && { accept }) };
  const request = { headers, ...(body !== undefined && { body: await withCurrentResourceVersion(fixture, path, body) }) };
  const answer = await fixture.ask(method, path, request);
  if (!answer) return { code: 404, answer: '404 page not found\n' };
  const warnings = parseWarnings(answer.headers['Warning'] ?? answer.headers['warning']);
  return { code: answer.code, answer: normalize(parseJsonOrText(await readBody(answer))), ...(warnings.length > 0 && { warnings }) };
}

async function readBody({ body }: HttpAnswer): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  let text = '';
  for await (const chunk of body) text += chunk;
  return text;
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Replaces the placeholder @current by the current resourceVersion. */
async function withCurrentResourceVersion(fixture: Fixture, path: string, body: unknown): Promise<unknown> {
  const { metadata } = body as { metadata?: Json };
  if (metadata?.['resourceVersion'] !== '@current') return body;
  const { json } = await fixture.send('GET', path.replace(/\?.*/, '').replace(/\/(status|scale)$/, ''));
  return { ...(body as Json), metadata: { ...metadata, resourceVersion: json.metadata.resourceVersion } };
}

const parseWarnings = (header: string | readonly string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap((each) => each.split(/, (?=299 )/))
    .map((each) => JSON.parse(each.replace(/^299 - /, '')) as string);
