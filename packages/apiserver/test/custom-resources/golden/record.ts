import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { normalize } from './normalize.ts';
import { scenarios } from './scenarios.ts';
import { connect, type Server } from './server.ts';
import { definitionsPath, type Json, type RequestStep, type Scenario, type Step } from './steps.ts';

/**
 * Runs the scenarios against kube-apiserver and records its answers. Usage: record.ts FOLDER PORT, the folder and the port of
 * a control plane that conformance/e2e/cluster/up.sh has started for this purpose alone.
 */
const [folder = '', port = ''] = process.argv.slice(2);
const server = connect(folder, port);
const lines: string[] = [];
for (const scenario of scenarios) lines.push(JSON.stringify({ name: scenario.name, steps: await record(server, scenario) }));
server.close();
writeFileSync(join(import.meta.dirname, 'answers.jsonl.gz'), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
console.log(`${lines.length} scenarios`);

async function record(server: Server, { steps }: Scenario): Promise<unknown[]> {
  const recordedSteps: unknown[] = [];
  for (const step of steps) {
    if ('await' in step) {
      await waitForState(server, step);
      recordedSteps.push(step);
    } else {
      const { code, answer, warnings } = await server.send(await withCurrentResourceVersion(server, step));
      recordedSteps.push({ ...step, code, answer: normalize(answer), ...(warnings && { warnings }) });
    }
  }
  await cleanUp(server);
  return recordedSteps;
}

/** Replaces the placeholder @current by the current resourceVersion. */
async function withCurrentResourceVersion(server: Server, step: RequestStep): Promise<RequestStep> {
  const body = step.body as { metadata?: Json } | undefined;
  if (step.method !== 'PUT' || !step.path.startsWith('/apis')) return step;
  const path = step.path.replace(/\?.*/, '').replace(/\/(status|scale)$/, '');
  if (body?.metadata?.['resourceVersion'] !== '@current') return step;
  const { answer } = await server.send({ method: 'GET', path });
  const { resourceVersion } = ((answer as Json)['metadata'] ?? {}) as Json;
  return { ...step, body: { ...body, metadata: { ...body?.metadata, resourceVersion } } };
}

/** Waits until a definition reaches a state. For 'conditions', which cannot be tested, waits about 2 seconds. */
async function waitForState(server: Server, { await: state, name }: Extract<Step, { await: string }>): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    const { code, answer } = await server.send({ method: 'GET', path: `${definitionsPath}/${name}` });
    if (state === 'gone' ? code === 404 : state === 'established' ? await isServed(server, answer as Json) : i > 6) return;
    await new Promise((resolve) => setTimeout(resolve, state === 'conditions' ? 300 : 100));
  }
  throw new Error(`${name} is not ${state}`);
}

async function isServed(server: Server, { spec, status }: Json): Promise<boolean> {
  const { conditions } = (status ?? {}) as { conditions?: { type: string; status: string }[] | null };
  if (!conditions?.some((each) => each.type === 'Established' && each.status === 'True')) return false;
  const { group, names, versions } = spec as { group: string; names: { plural: string }; versions: { name: string; served: boolean }[] };
  const version = versions.find(({ served }) => served)?.name;
  return (await server.send({ method: 'GET', path: `/apis/${group}/${version}/${names.plural}` })).code === 200;
}

/** Deletes all definitions, so that scenarios do not affect each other. */
async function cleanUp(server: Server): Promise<void> {
  const { answer } = await server.send({ method: 'GET', path: definitionsPath });
  for (const { metadata } of (answer as { items: { metadata: Json }[] }).items) {
    await server.send({ method: 'DELETE', path: `${definitionsPath}/${metadata['name']}` });
    await waitForState(server, { await: 'gone', name: String(metadata['name']) });
  }
}
