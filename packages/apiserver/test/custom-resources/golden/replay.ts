import { createCustomResources, type ValidatorOptions } from '../../../src/custom-resources/index.ts';
import type { HttpAnswer } from '../../../src/http/exchange.ts';
import { createWorld, type World } from '../../http/support.ts';
import { normalized } from './normalize.ts';
import type { Answer, Json, Sent, Step } from './steps.ts';

/** A step with the recorded answer of kube-apiserver. */
export type RecordedStep = (Sent & Answer) | Extract<Step, { await: string }>;

export interface Recorded {
  readonly name: string;
  readonly steps: readonly RecordedStep[];
}

/** Answers of this server to the same requests in the same order. */
export async function replay({ steps }: Recorded, validation: ValidatorOptions = {}): Promise<readonly (Answer | undefined)[]> {
  const world = await createWorld({}, { managesFields: true });
  const custom = createCustomResources({ registry: world.registry, catalog: world.catalog, clock: world.clock, validation });
  const answers: (Answer | undefined)[] = [];
  for (const step of steps) {
    if ('await' in step) await custom.settle();
    else {
      answers.push(await answerTo(world, step));
      // Completes the controller's work after a write, as the recording waited for it.
      await custom.settle();
      continue;
    }
    answers.push(undefined);
  }
  custom.close();
  return answers;
}

async function answerTo(world: World, { method, path, body, type, accept }: Sent): Promise<Answer> {
  const headers = { ...(type !== undefined && { 'content-type': type }), ...(accept !== undefined && { accept }) };
  const sent = { headers, ...(body !== undefined && { body: await current(world, path, body) }) };
  const answer = await world.ask(method, path, sent);
  if (!answer) return { code: 404, answer: '404 page not found\n' };
  const warnings = warningsIn(answer.headers['Warning'] ?? answer.headers['warning']);
  return { code: answer.code, answer: normalized(parsed(await textOf(answer))), ...(warnings.length > 0 && { warnings }) };
}

async function textOf({ body }: HttpAnswer): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  let text = '';
  for await (const chunk of body) text += chunk;
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Replaces the placeholder @current by the current resourceVersion. */
async function current(world: World, path: string, body: unknown): Promise<unknown> {
  const { metadata } = body as { metadata?: Json };
  if (metadata?.['resourceVersion'] !== '@current') return body;
  const { json } = await world.send('GET', path.replace(/\?.*/, '').replace(/\/(status|scale)$/, ''));
  return { ...(body as Json), metadata: { ...metadata, resourceVersion: json.metadata.resourceVersion } };
}

const warningsIn = (header: string | readonly string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap((each) => each.split(/, (?=299 )/))
    .map((each) => JSON.parse(each.replace(/^299 - /, '')) as string);
