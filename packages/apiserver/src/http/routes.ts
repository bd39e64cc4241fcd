import { ApiError } from 'kube-endpoints/port';
import { managerOf } from '../patch/index.ts';
import { createProtobufReader } from '../protobuf/index.ts';
import type { Catalog } from '../registry/catalog.ts';
import { noSuchResource, type Randomness, type Registry, systemRandomness } from '../registry/index.ts';
import { type Clock, systemClock } from '../store/index.ts';
import { wantsPretty } from './accept.ts';
import { answerOfError, answerWith, plainAnswer } from './answers.ts';
import type { Call, Face } from './call.ts';
import type { HttpAnswer, HttpRequest, Route } from './exchange.ts';
import { handlerOf } from './handlers.ts';
import { isCustom } from './kinds.ts';
import {
  type Accepted,
  acceptedBy,
  mediaTypeOf,
  mediaTypes,
  noAcceptableOutput,
  type Output,
  unknownRepresentation,
} from './negotiation.ts';
import { requirePatchType } from './patches.ts';
import { decodePath, type RequestInfo, requestInfoOf } from './request-info.ts';
import { type Target, targetOf } from './targets.ts';
import { createTexts } from './texts.ts';
import { createTurns } from './turns.ts';
import { createWarnings, type Warnings } from './warnings.ts';

export interface ResourceRoutesOptions {
  readonly registry: Registry;
  readonly catalog: Catalog;
  /** By default that of the machine. */
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** How long a body may be. By default 3 MiB. */
  readonly maxBodyBytes?: number;
}

/** Answers the requests for resources: /api/VERSION/... and /apis/GROUP/VERSION/..., of groups that are served. */
export function resourceRoutes(options: ResourceRoutesOptions): Route {
  const face = createFace(options);
  return (request) => {
    if (!request.path.startsWith('/api')) return undefined;
    const path = decodePath(request.path);
    if (path === undefined) return plainAnswer(400, '400 Bad Request');
    const info = requestInfoOf(path);
    return info && answer(face, request, info);
  };
}

function createFace({
  registry,
  catalog,
  clock = systemClock,
  randomness = systemRandomness,
  maxBodyBytes = 3 * 2 ** 20,
}: ResourceRoutesOptions): Face {
  return {
    registry,
    catalog,
    clock,
    randomness,
    maxBodyBytes,
    texts: createTexts(),
    readProtobuf: createProtobufReader(),
    accepted: remembering(acceptedBy),
    mediaType: remembering((contentType) => mediaTypeOf(contentType || (mediaTypes[0] as string))),
    managerOf: remembering((userAgent) => managerOf(undefined, userAgent ?? '') || undefined),
    nextTurn: createTurns(),
  };
}

/** Undefined where the path is none of those that are known; that is found out at once. */
function answer(face: Face, request: HttpRequest, info: RequestInfo): Promise<HttpAnswer> | undefined {
  const accepted = face.accepted(request.headers['accept']);
  const warnings = createWarnings();
  let target: Target | undefined;
  try {
    target = targetOf(face.catalog, info, request.method);
  } catch (error) {
    return answerFailure(request, accepted, warnings, error);
  }
  if (!target) return undefined;
  const failed = (error: unknown): Promise<HttpAnswer> => answerFailure(request, accepted, warnings, error);
  return serve(face, request, { info, target, accepted, warnings }).catch(failed);
}

interface Found {
  readonly info: RequestInfo;
  readonly target: Target;
  readonly accepted: Accepted;
  readonly warnings: Warnings;
}

async function serve(face: Face, request: HttpRequest, { info, target, accepted, warnings }: Found): Promise<HttpAnswer> {
  const { served, subresource, verb } = target;
  if (served.deprecation !== undefined) warnings.add(served.deprecation);
  if (verb === 'patch') requirePatchType(request.headers['content-type'], isCustom(served));
  if (!accepted.known && !isCustom(served)) throw unknownRepresentation(verb === 'list');
  if (!accepted.output) throw noAcceptableOutput();
  const call: Call = {
    face,
    request,
    served,
    subresource,
    verb,
    namespace: info.namespace,
    name: info.name,
    watch: info.watch,
    output: prettyFor(request, accepted.output),
    warn: warnings.add,
  };
  const handler = handlerOf(call);
  if (!handler) throw noSuchResource();
  return answerWith(call, await handler(call), warnings.headers);
}

async function answerFailure(request: HttpRequest, { forErrors }: Accepted, warnings: Warnings, error: unknown): Promise<HttpAnswer> {
  if (!(error instanceof ApiError)) throw error;
  return answerOfError(error, prettyFor(request, forErrors), warnings.headers);
}

/** Who reads with their own eyes gets it nicely laid out. */
function prettyFor({ query, headers }: HttpRequest, output: Output): Output {
  return output.pretty || !wantsPretty(query, headers['user-agent']) ? output : { ...output, pretty: true };
}

/** Headers that come again and again are read once; of those that do not, only so many are remembered. */
function remembering<T>(read: (header: string | undefined) => T): (header: string | undefined) => T {
  const known = new Map<string | undefined, T>();
  return (header) => {
    const found = known.get(header);
    if (found !== undefined || known.has(header)) return found as T;
    const value = read(header);
    if (known.size < 100) known.set(header, value);
    return value;
  };
}
