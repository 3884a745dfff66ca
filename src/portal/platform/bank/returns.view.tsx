import type { SeenReturn } from '../../../database/bank/matching/bank-queue.repository.js';
import { ListCard } from '../../kit/card.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { PostForm } from '../../kit/form-components.js';
import { AmountValue } from '../../kit/values.js';
import { ZONE } from '../payouts/platform-components.js';
import { linePath } from './bank-path.js';
import type { LineProps } from './line.view.js';
import { MerchantName } from '../merchant-name.js';

/** Payments returned by a line, including undone returns. */
export const Returns = (props: LineProps) => (
  <ListCard id="returns" title="Returned payments">
    <Rows
      caption="Returned payments, oldest first"
      columns={['Order', 'Amount', 'Booked']}
      numbers={['Amount']}
    >
      {props.page.returns.map((returned) => (
        <ReturnRow {...props} returned={returned} />
      ))}
    </Rows>
  </ListCard>
);

const ReturnRow = ({
  context,
  mayAct,
  page: { line },
  returned,
}: LineProps & { readonly returned: SeenReturn }) => (
  <tr>
    <Cell label="Order" class="strong">
      <Typed text={returned.orderMerchantId} />
      <div class="id">{returned.txid}</div>
      <div class="text-secondary">
        <MerchantName id={returned.merchantId} name={returned.merchantName} />
      </div>
    </Cell>
    <Cell label="Amount" class="num strong">
      <AmountValue minor={returned.amount} currency={returned.currency} />
    </Cell>
    <Cell label="Booked">
      <When at={returned.createdAt} zone={ZONE} />
      <div>
        {returned.saidByName === null ? (
          'Automatically'
        ) : (
          <>
            By <Typed text={returned.saidByName} />
          </>
        )}
      </div>
      {returned.undoneAt !== null && (
        <div class="text-secondary">
          Undone <When at={returned.undoneAt} zone={ZONE} />
        </div>
      )}
      {mayAct && returned.undoneAt === null && (
        <PostForm
          action={`${linePath(line)}/returns/${returned.paymentId}/undo`}
          csrf={context.csrf}
        >
          <button class="btn btn-sm mt-1">
            Undo<span class="visually-hidden"> the return of {returned.orderMerchantId}</span>
          </button>
        </PostForm>
      )}
    </Cell>
  </tr>
);
