import { compareText } from 'kube-endpoints/internal/apimachinery';
import { collectCauses } from '../../field/causes.ts';
import { formatLabelSelector, validateLabelSelector } from '../../field/label-selector.ts';
import { child, entries, type Fields, list, text } from '../../field/read.ts';
import { readFields, type TableColumn, wide } from '../../table/columns.ts';

/** The wide columns with the names and images of the containers of a pod template. */
export const containerColumns = (templatePath: string): readonly TableColumn[] => {
  const joinContainers = (object: Fields, name: string): string =>
    list(child(readFields(object, templatePath) ?? {}, 'spec'), 'containers')
      .map((container) => text(container, name))
      .join(',');
  return [wide('Containers', (object) => joinContainers(object, 'name')), wide('Images', (object) => joinContainers(object, 'image'))];
};

/** The selector of an object as text. Mirrors FormatLabelSelector (apimachinery/pkg/apis/meta/v1, 1.36). */
export function printSelector(selector: Fields | undefined): string {
  return isValidSelector(selector ?? {}) ? formatLabelSelector(selector ?? {}) || '<none>' : '<error>';
}

export function isValidSelector(selector: Fields): boolean {
  const causes = collectCauses();
  validateLabelSelector(selector, 'selector', causes);
  return causes.list.length === 0;
}

/** Prints labels as "a=1,b=2". Mirrors FormatLabels (apimachinery/pkg/labels, 1.36). */
export const printLabels = (object: Fields, name: string): string =>
  [...entries(object, name)]
    .sort(([a], [b]) => compareText(a, b))
    .map((entry) => entry.join('='))
    .join(',') || '<none>';
