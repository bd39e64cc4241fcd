import { child, type Draft, ensureChild, type Fields, has } from '../../field/read.ts';
import { createStatusStrategy, type KindExtension } from '../description.ts';
import { type AnnotatedField, annotationNames } from './annotations.ts';
import { toAutoscalingV2 } from './convert.ts';

export { dropRoundTripAnnotations, toAutoscalingV1, toAutoscalingV2 } from './convert.ts';

/** What HorizontalPodAutoscalers of autoscaling/v1 do in addition to those of v2: annotations belong to the spec or to the status. */
export const autoscalingV1Extension: KindExtension = {
  internal: toAutoscalingV2,
  prepareForCreate: (draft) => restoreAnnotations(draft, {}, statusAnnotations),
  prepareForUpdate: (draft, old) => restoreAnnotations(draft, old, statusAnnotations),
  subresources: {
    status: {
      ...createStatusStrategy(['spec']),
      prepareForUpdate(draft, old) {
        createStatusStrategy(['spec']).prepareForUpdate?.(draft, old);
        restoreAnnotations(draft, old, ['metrics', 'behavior']);
      },
    },
  },
};

const statusAnnotations: readonly AnnotatedField[] = ['currentMetrics', 'conditions'];

function restoreAnnotations(draft: Draft, old: Fields, fields: readonly AnnotatedField[]): void {
  const oldAnnotations = child(child(old, 'metadata'), 'annotations');
  for (const name of fields.map((field) => annotationNames[field])) {
    if (has(oldAnnotations, name)) ensureChild(ensureChild(draft, 'metadata'), 'annotations')[name] = oldAnnotations[name];
    else delete (child(child(draft, 'metadata'), 'annotations') as Draft)[name];
  }
}
