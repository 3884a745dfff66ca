/**
 * Who may import whom. A row names the rooms (folders of src) that its room may import besides
 * itself; what no row allows, `npm run lint` refuses. docs/architecture.md says what each room is.
 */
import { readdirSync } from 'node:fs';

/** What every other room stands on: each may import those before it. */
const GROUND = ['common', 'config', 'database', 'lifecycle', 'http', 'contract'];

/** What each may import besides the ground. No row names `portal`, `cli` or `demo`. */
const ROOMS = {
  merchants: [],
  providers: [],
  'collection-accounts': ['merchants', 'people'],
  ledger: [],
  retention: [],
  'bank-statements': [],
  notifications: ['merchants', 'providers'],
  status: ['merchants', 'notifications'],
  people: ['merchants', 'notifications'],
  exports: ['notifications', 'people'],
  'order-search': ['merchants', 'providers', 'status', 'exports'],
  payouts: ['merchants', 'notifications', 'ledger'],
  payments: ['merchants', 'collection-accounts', 'providers', 'ledger', 'status'],
  orders: ['merchants', 'providers', 'notifications', 'status', 'payments'],
  'payment-page': ['merchants', 'providers', 'status', 'payments'],
  'sandbox-bank': ['merchants', 'providers', 'status', 'payments', 'orders', 'payment-page'],
  reference: ['merchants', 'notifications', 'status', 'payouts'],
  operations: ['bank', 'merchants', 'notifications', 'status', 'people', 'payment-page'],
  // prettier-ignore
  cli: ['bank', 'bank-statements', 'merchants', 'collection-accounts', 'providers', 'ledger', 'retention', 'notifications', 'people', 'payments', 'operations'],
  // prettier-ignore
  bank: ['bank-statements', 'collection-accounts', 'merchants', 'providers', 'ledger', 'notifications', 'status', 'people', 'payouts', 'payments'],
  demo: ['bank-statements', 'merchants', 'people', 'payouts'],
  // prettier-ignore
  portal: ['bank', 'bank-statements', 'merchants', 'collection-accounts', 'providers', 'ledger', 'notifications', 'status', 'people', 'exports', 'order-search', 'payouts', 'payments', 'orders', 'payment-page'],
};

/** What the rooms of the portal may import of each other, besides the files beside them. */
const PORTAL = {
  kit: [],
  layout: ['kit'],
  people: ['kit', 'layout'],
  settings: ['kit', 'layout'],
  'order-list': ['kit', 'layout'],
  home: ['kit', 'layout', 'order-list'],
  order: ['kit', 'layout', 'order-list'],
  exports: ['kit', 'layout', 'order-list'],
  'bank-accounts': ['kit', 'layout'],
  payouts: ['kit', 'layout', 'order-list'],
  platform: ['kit', 'layout'],
};

const refuse = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

function row(folder, room, allowed) {
  const may = `${folder}/${room} may import ${allowed.join(', ') || 'nothing else of ours'}.`;
  const to = { path: `^${folder}/.+/`, pathNot: `^${folder}/(${[room, ...allowed].join('|')})/` };
  return refuse(`${folder}/${room}`, may, { path: `^${folder}/${room}/` }, to);
}

function rows(folder, table) {
  const missing = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !(entry.name in table))
    .map((entry) => entry.name);
  if (missing.length > 0) throw new Error(`${folder} has rooms without a row: ${missing}`);
  return Object.entries(table).map(([room, allowed]) => row(folder, room, allowed));
}

const ground = GROUND.map((room, at) => [room, GROUND.slice(0, at)]);
const above = Object.entries(ROOMS).map(([room, allowed]) => [room, [...GROUND, ...allowed]]);

export default {
  forbidden: [
    ...rows('src', Object.fromEntries([...ground, ...above])),
    ...rows('src/portal', PORTAL),
    refuse(
      'app',
      'Only main.ts starts the app; its module alone knows all rooms.',
      { path: '^src/.+/' },
      { path: '^src/[^/]+$' },
    ),
    refuse(
      'controllers',
      'Nobody imports a controller but its module.',
      { path: '^src/', pathNot: '\\.(module|spec)\\.ts$' },
      { path: '\\.controller\\.ts$' },
    ),
    refuse(
      'adapters',
      'A provider takes of the tables the types alone; the sandbox is its own bank, and keeps books.',
      { path: '^src/providers/.+/' },
      {
        path: '^src/database/',
        pathNot: '^src/database/sandbox-bank/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    refuse(
      'sql',
      'SQL and repositories live in src/database.',
      { path: '^src/', pathNot: '^src/database/' },
      { path: '/(typeorm|pg|pg-[^/]+)/', dependencyTypesNot: ['type-only'] },
    ),
    refuse(
      'tests',
      'What is shipped does without its tests.',
      { path: '^src/', pathNot: '\\.spec\\.tsx?$' },
      { path: '^(test|bench)/' },
    ),
    refuse(
      'cycles',
      'Files that need each other are one file, unless they only share types.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/generators/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
