/** SVG paths on a 24 × 24 grid. */
const PATHS = {
  home: 'M4 11 12 4l8 7M6 10v10h12V10M10 20v-6h4v6',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  download: 'M12 4v11m0 0-4-4m4 4 4-4M5 20h14',
  key: 'M14 10a4 4 0 1 0-3.4 3.95L13 16h2v2h2v2h3v-3l-6.2-6.2',
  webhook: 'M7 16a4 4 0 1 1 5-4m5 4a4 4 0 1 1-4-5M12 8a4 4 0 1 1 5 3',
  settings: 'M5 7h8m4 0h2M5 12h2m4 0h8M5 17h10m2 0h2M15 5v4M9 10v4m6 1v4',
  note: 'M5 4h14v10l-5 6H5zm9 16v-6h5M8 8h8m-8 4h5',
  mail: 'M4 6h16v12H4zm0 1 8 6 8-6',
  people:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6m-6 9a6 6 0 0 1 12 0m1-15a3 3 0 0 1 0 6m2 3a6 6 0 0 1 3 6',
  audit: 'M7 3h10v18H7zM10 8h4m-4 4h4m-4 4h2',
  shop: 'M4 9h16l-1-5H5zm1 0v11h14V9M9 20v-6h6v6',
  health: 'M3 12h4l3-7 4 14 3-7h4',
  search: 'M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14m5-2 5 5',
  check: 'm6 12.5 4 4 8-9',
  clock: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18m0-14v5l3 2',
  cross: 'm7 7 10 10M17 7 7 17',
  warning: 'M12 4 3 20h18zm0 6v4m0 2.5v.5',
  ended: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18M6 6l12 12',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-7 9a7 7 0 0 1 14 0',
  out: 'M10 4H5v16h5m4-4 4-4-4-4m4 4H9',
  calendar: 'M4 6h16v14H4zm0 4h16M8 3v4m8-4v4',
  coins: 'M3 7h18v10H3zm9 7.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5M6 10v.01M18 14v.01',
  payout: 'M3 6h18v9H3zm9 6.5a2 2 0 1 1 0-4 2 2 0 0 1 0 4M12 15v6m0 0-3-3m3 3 3-3',
  refund: 'M9 15 4 10l5-5M4 10h10a5 5 0 0 1 0 10h-4',
  bank: 'm3 9 9-5 9 5zm3 0v8m4-8v8m4-8v8m4-8v8M3 20h18',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  filter: 'M4 5h16l-6 7v7l-4-2v-5z',
  menu: 'M4 6h16M4 12h16M4 18h16',
  newer: 'm15 6-6 6 6 6',
  older: 'm9 6 6 6-6 6',
  late: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18m-3-9h6',
  busy: 'M20 11a8 8 0 0 0-14.5-4L4 9m0-5v5h5m-5 4a8 8 0 0 0 14.5 4l1.5-2m0 5v-5h-5',
  flask: 'M9 3h6m-5 0v6L5 19.5a1 1 0 0 0 1 1.5h12a1 1 0 0 0 1-1.5L14 9V3',
  switch: 'm8 9 4-4 4 4m0 6-4 4-4-4',
} as const;

export type IconName = keyof typeof PATHS;

/** Hidden from screen readers: the text beside it says the same. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);
