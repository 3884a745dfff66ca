/** The Bruno collection, made from the OpenAPI document: its operations and their examples, in an order that works. */
import { bruno } from './file.js';
import { STORY } from './story.js';

/** Folder of what is made. */
export const COLLECTION = 'collection';

const operationsOf = ({ paths }) =>
  new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        operation.operationId,
        { path, method, operation },
      ]),
    ),
  );

/** What the story does not tell comes behind it, by the name of its part of the reference. */
function chaptersOf(operations) {
  const told = new Set(STORY.flatMap(([, steps]) => steps.map(({ id }) => id)));
  const others = [...operations].filter(([id]) => !told.has(id));
  const more = Map.groupBy(others, ([, { operation }]) => `more ${operation.tags[0]}`);
  return [...STORY, ...[...more].map(([name, found]) => [name, found.map(([id]) => ({ id }))])];
}

/**
 * @param document the OpenAPI document, as an object
 * @returns the files by their names
 */
export function collectionOf(document) {
  const operations = operationsOf(document);
  const files = {
    'bruno.json': `${JSON.stringify({ version: '1', name: 'Payment orders', type: 'collection' }, null, 2)}\n`,
    'collection.bru': `headers {
  Api-Version: ${document.info.version}
}

auth {
  mode: bearer
}

auth:bearer {
  token: {{key}}
}
`,
    'environments/demo.bru': `vars {
  base: http://127.0.0.1:3000
}
vars:secret [
  key
]
`,
  };
  for (const [at, [chapter, steps]] of chaptersOf(operations).entries()) {
    const folder = `${at + 1} ${chapter}`;
    files[`${folder}/folder.bru`] =
      `meta {\n  name: ${chapter}\n  seq: ${at + 1}\n}\n\nauth {\n  mode: inherit\n}\n`;
    for (const [index, step] of steps.entries()) {
      const found = operations.get(step.id);
      if (!found) throw new Error(`the document has no operation ${step.id}`);
      const name = step.name ?? found.operation.summary;
      const number = String(index + 1).padStart(2, '0');
      files[`${folder}/${number} ${name}.bru`] = bruno({ ...found, ...step, name, seq: index + 1 });
    }
  }
  return files;
}
