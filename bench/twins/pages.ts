import { compile, raw } from './template.js';

const PAYMENT = compile(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{{merchant}} · {{amount}} {{currency}}</title>
<link rel="stylesheet" href="/pay/assets/pay.css"><script src="/pay/assets/pay.js" defer></script>
</head><body><main class="card"><header><h1>{{merchant}}</h1></header>
<p class="amount"><strong>{{amount}} {{currency}}</strong></p>
<dl><dt>Order</dt><dd>{{orderMerchantId}}</dd><dt>Description</dt><dd>{{description}}</dd>
<dt>Customer</dt><dd>{{customerName}}</dd><dt>Pay until</dt><dd>{{expiresAt}}</dd></dl>
{{form}}<footer><a href="{{returnUrl}}">Back to the shop</a><small>{{txid}}</small></footer>
</main></body></html>`);

const FORM = compile(`<form method="post" action="/pay/{{pageToken}}/start">
<input type="hidden" name="method" value="sandbox"><button>Pay</button></form>
<form method="post" action="/pay/{{pageToken}}/cancel"><button>Cancel</button></form>`);

const HISTORY = compile(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Orders</title><link rel="stylesheet" href="/portal/assets/portal.css"></head><body>
<nav><a href="/portal">Home</a><a href="/portal/m/{{merchantId}}/test/orders">Orders</a></nav>
<main><h1>Orders</h1><form><input name="search"><button>Search</button></form><table><thead><tr>
<th>Created</th><th>Order</th><th>Status</th><th>Amount</th><th>Provider</th><th>Payer account</th>
<th>Payer</th><th>Customer</th></tr></thead><tbody>{{rows}}</tbody></table>
<a rel="next" href="/portal/m/{{merchantId}}/test/orders?older={{older}}">Older</a></main></body></html>`);

const ROW = compile(`<tr><td><time datetime="{{createdAt}}">{{createdAt}}</time></td>
<th scope="row"><a href="/portal/m/{{merchantId}}/test/orders/{{txid}}">{{orderMerchantId}}</a>
<span class="txid">{{txid}}</span></th><td><span class="tag">{{status}}</span></td>
<td class="num">{{major}} {{currency}}</td><td>{{provider}}</td><td>{{payerAccountNumber}}</td>
<td>{{payerAccountName}}</td><td>{{customerName}}<span class="under">{{customerEmail}}</span></td></tr>`);

export interface Row {
  readonly txid: string;
  readonly status: string;
  readonly amount: number;
  readonly createdAt: string;
  readonly [column: string]: string | number | null;
}

const major = (minor: number): string => (minor / 100).toFixed(2);

export const paymentPage = (order: Row): string =>
  PAYMENT({
    ...order,
    amount: major(order.amount),
    form: order.status === 'open' ? raw(FORM(order)) : null,
  });

export function historyPage(merchantId: string, rows: readonly Row[]): string {
  const lines = rows.map((row) => ROW({ ...row, merchantId, major: major(row.amount) }));
  const last = rows.at(-1);
  const older = last && `${Date.parse(last.createdAt).toString(36)}.${last.txid}`;
  return HISTORY({ merchantId, rows: raw(lines.join('')), older });
}
