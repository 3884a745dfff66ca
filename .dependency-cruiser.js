/**
 * Who may import whom. A row names the rooms (folders of src) that its room may import besides
 * itself; what no row allows, `npm run lint` refuses. docs/architecture.md says what each room is.
 */
import { readdirSync } from 'node:fs';

/** What every other room stands on: each may import those before it. */
const GROUND = ['common', 'overload', 'config', 'database', 'lifecycle', 'http', 'contract'];

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
  payouts: ['merchants', 'notifications', 'ledger', 'refund-lifecycle'],
  payments: ['merchants', 'collection-accounts', 'providers', 'ledger', 'status'],
  orders: ['merchants', 'providers', 'notifications', 'status', 'payments'],
  'refund-lifecycle': ['ledger', 'status', 'payments'],
  // prettier-ignore
  refunds: ['merchants', 'providers', 'ledger', 'status', 'payments', 'refund-lifecycle', 'payouts', 'orders', 'people'],
  'payment-page': ['merchants', 'providers', 'status', 'payments'],
  'refund-page': ['merchants', 'refunds', 'payouts', 'payment-page'],
  'sandbox-bank': [
    'merchants',
    'providers',
    'status',
    'payments',
    'orders',
    'refunds',
    'payment-page',
  ],
  reference: ['merchants', 'notifications', 'status', 'payouts'],
  operations: ['bank', 'merchants', 'notifications', 'status', 'people', 'payment-page'],
  // prettier-ignore
  cli: ['bank', 'bank-statements', 'merchants', 'collection-accounts', 'providers', 'ledger', 'retention', 'notifications', 'people', 'payments', 'operations'],
  // prettier-ignore
  bank: ['bank-statements', 'collection-accounts', 'refund-lifecycle', 'merchants', 'providers', 'ledger', 'notifications', 'status', 'people', 'payouts', 'payments'],
  demo: ['bank-statements', 'merchants', 'people', 'payouts'],
  // prettier-ignore
  portal: ['bank', 'bank-statements', 'merchants', 'collection-accounts', 'providers', 'ledger', 'notifications', 'status', 'people', 'exports', 'order-search', 'payouts', 'payments', 'orders', 'refunds', 'payment-page'],
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
  refunds: ['kit', 'layout', 'order', 'order-list'],
  exports: ['kit', 'layout', 'order-list'],
  'bank-accounts': ['kit', 'layout'],
  payouts: ['kit', 'layout', 'order-list'],
  platform: ['kit', 'layout'],
};

/** The room that owns the tables of a folder of src/database: it alone uses the folder's repositories. */
const OWNERS = {
  bank: 'bank',
  'bank/collection-accounts': 'collection-accounts',
  demo: 'demo',
  doctor: 'operations',
  exports: 'exports',
  ledger: 'ledger',
  merchants: 'merchants',
  notifications: 'notifications',
  orders: 'orders',
  payments: 'payments',
  payouts: 'payouts',
  people: 'people',
  providers: 'payments',
  refunds: 'refunds',
  'read-models': 'portal',
  retention: 'retention',
  'sandbox-bank': 'sandbox-bank',
  'saved-views': 'portal',
};

/** Other rooms that use a repository too. A new row needs a reason. */
// prettier-ignore
const SHARED = {
  'bank/collection-accounts/account-look': ['cli', 'payment-page'],
  'bank/collection-accounts/collection-account': ['bank', 'demo', 'portal'],
  'bank/collection-accounts/collection-account-change': ['operations', 'portal'],
  'bank/files/csv-profile': ['portal'],
  'bank/files/bank-watch': ['operations', 'portal'],
  'bank/lines/bank-line': ['cli'],
  'bank/matching/bank-allocation': ['payments'],
  'bank/matching/bank-queue': ['portal'],
  'bank/matching/transfer-reference': ['orders', 'payments'],
  'demo/seed': ['cli'],
  'doctor/doctor-report': ['portal'],
  'ledger/ledger': ['cli', 'payouts', 'portal'],
  'merchants/merchant': ['demo', 'notifications', 'order-search', 'payment-page', 'payments', 'payouts', 'portal', 'refund-page', 'sandbox-bank'],
  'notifications/delivery': ['operations', 'portal'],
  'notifications/notification-recipient': ['portal'],
  'notifications/webhook-endpoint': ['operations', 'portal'],
  'orders/idempotency': ['payments'],
  'orders/order': ['bank', 'cli', 'payment-page', 'payments', 'portal', 'refund-lifecycle', 'refund-page', 'refunds', 'sandbox-bank', 'status'],
  'orders/order-page': ['portal'],
  'orders/order-past': ['payments'],
  'orders/page-opening': ['payment-page'],
  'payments/payment': ['refund-lifecycle', 'refunds', 'sandbox-bank'],
  'payouts/bank-accounts/bank-account': ['demo', 'portal'],
  'payouts/bank-accounts/bank-account-notice': ['portal'],
  'payouts/payout': ['portal'],
  'payouts/payout-export': ['portal'],
  'payouts/payout-money': ['portal'],
  'people/audit': ['notifications', 'portal'],
  'people/membership': ['notifications', 'payouts', 'refunds'],
  'people/operating-rules': ['cli', 'operations', 'portal'],
  'people/user': ['bank', 'collection-accounts', 'exports', 'payouts', 'portal'],
  'people/user-notice': ['notifications', 'payouts'],
  'providers/provider-event': ['portal'],
  'read-models/order-list/order-list': ['order-search'],
  'refunds/refund': ['portal', 'refund-lifecycle'],
  'refunds/refund-list': ['portal'],
  'sandbox-bank/sandbox': ['providers'],
  'sandbox-bank/sandbox-refund': ['providers'],
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

/** `orders/order` for `src/database/orders/order.repository.ts`. */
const REPOSITORIES = readdirSync('src/database', { recursive: true })
  .filter((file) => /^[^/]+\/.*\.repository\.ts$/.test(file))
  .map((file) => file.replace('.repository.ts', ''));

function ownership(name) {
  const folder = Object.keys(OWNERS)
    .toSorted()
    .findLast((each) => name.startsWith(`${each}/`));
  if (!folder) return [];
  const rooms = [OWNERS[folder], ...(SHARED[name] ?? [])];
  const may = `Only ${rooms.join(', ')} use ${name}.repository.ts. Call a service of ${OWNERS[folder]}.`;
  return [
    refuse(
      `owner of ${name}`,
      may,
      { path: '^src/', pathNot: `^src/(database|${rooms.join('|')})/|\\.spec\\.tsx?$` },
      { path: `^src/database/${name}\\.repository\\.ts$`, dependencyTypesNot: ['type-only'] },
    ),
  ];
}

const ground = GROUND.map((room, at) => [room, GROUND.slice(0, at)]);
const above = Object.entries(ROOMS).map(([room, allowed]) => [room, [...GROUND, ...allowed]]);

export default {
  forbidden: [
    ...rows('src', Object.fromEntries([...ground, ...above])),
    ...rows('src/portal', PORTAL),
    ...REPOSITORIES.flatMap(ownership),
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
