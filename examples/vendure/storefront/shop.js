/** The least storefront: one click buys, and an order's page says how it stands. */
const main = document.querySelector('main');

async function ask(query, variables) {
  const response = await fetch('/shop-api', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  const [answer] = Object.values(data);
  if (answer?.errorCode) throw new Error(answer.paymentErrorMessage ?? answer.message);
  return answer;
}

const FAULTS = `... on ErrorResult { errorCode message }`;

const element = (tag, text, click) => {
  const made = Object.assign(document.createElement(tag), { textContent: text });
  if (click) {
    made.addEventListener('click', () => {
      made.disabled = true;
      click()
        .catch((error) => main.prepend(element('p', error.message)))
        .finally(() => (made.disabled = false));
    });
  }
  return made;
};

const price = (amount, currency) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);

async function fill(variant) {
  await ask(
    `mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename ${FAULTS} } }`,
    { id: variant },
  );
  await ask(
    `mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { __typename ${FAULTS} } }`,
    { input: { firstName: 'Erika', lastName: 'Mustermann', emailAddress: 'erika@shop.example' } },
  );
  await ask(
    `mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { __typename ${FAULTS} } }`,
    {
      input: { streetLine1: 'Hauptstr. 1', city: 'Berlin', postalCode: '10115', countryCode: 'DE' },
    },
  );
  const [{ id }] = await ask('{ eligibleShippingMethods { id } }');
  await ask(
    `mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename ${FAULTS} } }`,
    { id: [id] },
  );
}

const moveTo = (state) =>
  ask(
    `mutation ($state: String!) {
       transitionOrderToState(state: $state) { __typename ... on OrderStateTransitionError { errorCode message: transitionError } }
     }`,
    { state },
  );

async function pay() {
  const { payments } = await ask(
    `mutation {
       addPaymentToOrder(input: { method: "payment-page", metadata: {} }) {
         ... on Order { payments { createdAt metadata } }
         ... on PaymentFailedError { errorCode paymentErrorMessage }
         ${FAULTS}
       }
     }`,
  );
  const newest = payments.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)).at(-1);
  location.assign(newest.metadata.public.paymentPageUrl);
}

async function showProducts() {
  const { items } = await ask(
    '{ products { items { name variants { id priceWithTax currencyCode } } } }',
  );
  const list = document.createElement('ul');
  for (const { name, variants } of items) {
    const [{ id, priceWithTax, currencyCode }] = variants;
    const line = element('li', `${name}, ${price(priceWithTax, currencyCode)}`);
    line.append(
      element('button', 'Buy', async () => {
        await fill(id);
        await moveTo('ArrangingPayment');
        await pay();
      }),
    );
    list.append(line);
  }
  main.replaceChildren(list);
}

const ORDER = 'code state totalWithTax currencyCode';

async function showOrder(code) {
  const active = await ask(`{ activeOrder { ${ORDER} } }`);
  const order =
    active?.code === code
      ? active
      : await ask(`query ($code: String!) { orderByCode(code: $code) { ${ORDER} } }`, { code });
  const isPaid = order.state === 'PaymentSettled';
  const amount = price(order.totalWithTax, order.currencyCode);
  const state = element('p', `Order ${code} of ${amount}: ${isPaid ? 'paid' : 'not paid yet'}.`);
  state.dataset.state = order.state;
  main.replaceChildren(state);
  if (isPaid) return main.append(element('button', 'Shop on', async () => location.assign('/')));
  main.append(
    element('button', 'Pay', pay),
    element('button', 'Back to the cart', async () => {
      await moveTo('AddingItems');
      location.assign('/');
    }),
  );
  setTimeout(() => void showOrder(code), 2_000);
}

const code = new URLSearchParams(location.search).get('order');
await (code ? showOrder(code) : showProducts()).catch((error) =>
  main.replaceChildren(element('p', error.message)),
);
