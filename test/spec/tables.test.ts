import { describe, it } from 'vitest';
import { freezeDeeply } from '../property/check.ts';
import { isFull } from '../support/sample.ts';
import { checkEndpoints, checkPlan } from './tables/endpoints.ts';
import { checkMirroring, toEndpoints } from './tables/mirroring.ts';
import { type Fields, toNode, toPods, toService } from './tables/objects.ts';
import { type Row, readSources, readTable, tableNames } from './tables/read.ts';
import { checkSlicePlan, checkSlices, makeCurrentSlice } from './tables/slices.ts';

const sources = readSources();

/** A full run covers every minor release, other runs only the edges of the releases that a row names. */
describe.each(tableNames)('%s', (file) => {
  it.each(readTable(file, sources, isFull).rows.map((row) => [row.name, row] as const))('%s', (_, row) => {
    const run = prepare(row);
    for (const { releases, expected } of row.cases) {
      for (const version of releases) inRelease(version, () => run(version, expected));
    }
  });
});

function inRelease(version: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) error.message = `in ${version}: ${error.message}`;
    throw error;
  }
}

const hasSlices = (version: string): boolean => Number(version.split('.')[1]) >= 17;

/** Creates the objects of a row, frozen to detect writes; returns a check for one release. */
function prepare(row: Row): (version: string, expected: Fields) => void {
  const service = freezeDeeply(toService(row.service));
  const currentSlices = freezeDeeply((row.currentSlices ?? []).map((each) => makeCurrentSlice(each, service)));
  if (row.endpoints) {
    const endpoints = freezeDeeply(toEndpoints(row.endpoints));
    return (version, expected) => checkMirroring(version, endpoints, service, currentSlices, expected);
  }
  const objects = {
    service,
    pods: freezeDeeply(toPods(row.pods ?? [])),
    ...(row.timeZone !== undefined && { timeZone: row.timeZone }),
    ...(row.maxEndpointsPerSlice !== undefined && { maxEndpointsPerSlice: row.maxEndpointsPerSlice }),
    ...(row.nodes && { nodes: freezeDeeply(row.nodes.map(toNode)) }),
  };
  const current = row.current && freezeDeeply(toEndpoints(row.current));
  return (version, expected) => {
    const rowObjects = { ...objects, version, expected };
    if (current) checkPlan(rowObjects, current);
    else if (row.currentSlices) checkSlicePlan(rowObjects, currentSlices);
    else {
      checkEndpoints(rowObjects);
      // Slices of large rows are checked only if the row expects slices, or in a full run.
      const isCheap = objects.pods.length <= 100 || 'slices' in expected;
      if (hasSlices(version) && (isFull || isCheap)) checkSlices(rowObjects);
    }
  };
}
