import type { SeenAllocation } from '../../../database/bank/matching/bank-queue.repository.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import { ListCard } from '../../kit/card.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { ExceptionMark, StatusTag } from '../../kit/status.js';
import { AmountValue } from '../../kit/values.js';
import { ZONE } from '../payouts/platform-components.js';
import { allocationPath } from './bank-path.js';
import { Evidence } from './evidence.view.js';
import type { LineProps } from './line.view.js';
import { MerchantName } from '../merchant-name.js';

/** Orders matched to a line, including undone matches. */
export const Allocations = ({ mayAct, page: { allocations, line } }: LineProps) => (
  <ListCard id="allocations" title="Matched orders">
    <Rows
      caption="Matched orders, oldest first"
      columns={['Order', 'Amount', 'Order status', 'Evidence', 'Matched']}
      numbers={['Amount']}
    >
      {allocations.map((allocation) => (
        <AllocationRow allocation={allocation} line={line} mayAct={mayAct} />
      ))}
    </Rows>
  </ListCard>
);

interface AllocationProps extends Pick<LineProps, 'mayAct'> {
  readonly line: BankLine;
  readonly allocation: SeenAllocation;
}

const AllocationRow = ({ allocation, line, mayAct }: AllocationProps) => (
  <tr>
    <Cell label="Order" class="strong">
      <Typed text={allocation.orderMerchantId} />
      <div class="id">{allocation.txid}</div>
      <div class="text-secondary">
        <MerchantName id={allocation.merchantId} name={allocation.merchantName} />
      </div>
    </Cell>
    <Cell label="Amount" class="num strong">
      <AmountValue minor={allocation.amount} currency={allocation.currency} />
    </Cell>
    <Cell label="Order status">
      <StatusTag status={allocation.status} />
      <ExceptionMark exception={allocation.exception} />
    </Cell>
    <Cell label="Evidence">
      <Evidence evidence={allocation.evidence} />
    </Cell>
    <Cell label="Matched">
      <When at={allocation.createdAt} zone={ZONE} />
      <div>
        {allocation.matchedByName === null ? (
          'Automatically'
        ) : (
          <>
            By <Typed text={allocation.matchedByName} />
          </>
        )}
      </div>
      {allocation.undoneAt === null && allocation.returned > 0 && (
        <div class="text-secondary">
          <AmountValue minor={allocation.returned} currency={allocation.currency} /> returned by the
          bank
        </div>
      )}
      {allocation.undoneAt !== null && (
        <div class="text-secondary">
          {allocation.undoneByLineId === null ? 'Undone ' : 'Returned by the bank '}
          <When at={allocation.undoneAt} zone={ZONE} />
        </div>
      )}
      {mayAct && allocation.undoneAt === null && (
        <AllocationWays line={line} allocation={allocation} />
      )}
    </Cell>
  </tr>
);

const AllocationWays = ({ line, allocation }: Omit<AllocationProps, 'mayAct'>) => {
  const { payerAccountName, payerAccountNumber } = allocation;
  return (
    <div class="d-flex flex-wrap gap-2 mt-1">
      {(payerAccountName === null || payerAccountNumber === null) && (
        <a class="btn btn-sm" href={allocationPath(line, allocation, 'payer')}>
          Add the payer<span class="visually-hidden"> of {allocation.orderMerchantId}</span>
        </a>
      )}
      <a class="btn btn-sm" href={allocationPath(line, allocation, 'undo')}>
        Undo<span class="visually-hidden"> the match to {allocation.orderMerchantId}</span>
      </a>
    </div>
  );
};
