/** What of the client is made from the OpenAPI document: the types, and where each operation is. */
import openapiTypescript, { astToString } from 'openapi-typescript';

const HEAD = `// Made from the OpenAPI document of the service by "npm run clients": changes here are lost.

`;

/** Errors are thrown, and their one type is `Problem`; examples would be most of the file. */
function bareOf(document) {
  const bare = JSON.parse(
    JSON.stringify(document, (name, value) => (/^examples?$/.test(name) ? undefined : value)),
  );
  for (const { operation } of operationsIn(bare)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      delete response.headers;
      if (!status.startsWith('2')) delete operation.responses[status];
    }
  }
  return bare;
}

const operationsIn = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

/**
 * @param document the OpenAPI document, as an object
 * @returns the contents of src/schema.ts and src/operations.ts
 */
export async function generated(document) {
  const bare = bareOf(document);
  const types = await openapiTypescript(bare, { defaultNonNullable: false });
  return { 'schema.ts': HEAD + astToString(types), 'operations.ts': HEAD + operationsOf(bare) };
}

function operationsOf(document) {
  const lines = operationsIn(document)
    .filter(({ operation }) => !operation.deprecated)
    .map(({ path, method, operation }) => {
      const parameters = (operation.parameters ?? []).map(({ $ref, ...own }) =>
        $ref ? document.components.parameters[$ref.split('/').at(-1)] : own,
      );
      const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
      const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
      const facts = { method: method.toUpperCase(), path, query, isKeyed };
      return `  ${operation.operationId}: ${JSON.stringify(facts)},\n`;
    });
  return `/** The version of the contract that these types describe. */
export const API_VERSION = '${document.info.version}';

/** Where each operation is, what it takes in the query, and whether it takes an Idempotency-Key. */
export const OPERATIONS = {
${lines.join('')}} as const;
`;
}
