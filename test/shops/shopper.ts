import { FAULT, GraphQl } from './graphql.js';

export interface ShopPayment {
  readonly id: string;
  readonly state: string;
  readonly amount: number;
  readonly transactionId: string | null;
  readonly createdAt: string;
  readonly metadata: { readonly public?: { readonly paymentPageUrl?: string } };
}

/** An order as Vendure has it. */
export interface ShopOrder {
  readonly id: string;
  readonly code: string;
  readonly state: string;
  readonly totalWithTax: number;
  readonly payments: readonly ShopPayment[];
}

const ORDER =
  'id code state totalWithTax payments { id state amount transactionId createdAt metadata }';

const CUSTOMER = { firstName: 'Erika', lastName: 'Mustermann', emailAddress: 'e@shop.example' };
const ADDRESS = {
  streetLine1: 'Hauptstr. 1',
  city: 'Berlin',
  postalCode: '10115',
  countryCode: 'DE',
};

export const LAMP = '1';
export const NOTEBOOK = '3';

/** A customer without an account. */
export class Shopper {
  private readonly api: GraphQl;

  constructor(shopUrl: string) {
    this.api = new GraphQl(`${shopUrl}/shop-api`);
  }

  /** Puts something into the cart, with all that the checkout wants to know. */
  async fillCart(variant = LAMP): Promise<void> {
    await this.add(variant);
    await this.api.ask(
      `mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { __typename ${FAULT} } }`,
      { input: CUSTOMER },
    );
    await this.api.ask(
      `mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { __typename ${FAULT} } }`,
      { input: ADDRESS },
    );
    const [method] = await this.api.ask<[{ id: string }]>('{ eligibleShippingMethods { id } }');
    await this.api.ask(
      `mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename ${FAULT} } }`,
      { id: [method.id] },
    );
  }

  add(variant: string): Promise<ShopOrder> {
    return this.api.ask(
      `mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { ... on Order { ${ORDER} } ${FAULT} } }`,
      { id: variant },
    );
  }

  moveTo(state: string): Promise<ShopOrder> {
    return this.api.ask(
      `mutation ($state: String!) {
         transitionOrderToState(state: $state) {
           ... on Order { ${ORDER} }
           ... on OrderStateTransitionError { errorCode transitionError }
         }
       }`,
      { state },
    );
  }

  /** Wants to pay. */
  pay(): Promise<ShopOrder> {
    return this.api.ask(
      `mutation {
         addPaymentToOrder(input: { method: "payment-page", metadata: {} }) {
           ... on Order { ${ORDER} }
           ... on PaymentFailedError { errorCode paymentErrorMessage }
           ... on PaymentDeclinedError { errorCode paymentErrorMessage }
           ${FAULT}
         }
       }`,
    );
  }

  /** From an empty cart to the payment page. */
  async checkOut(variant = LAMP): Promise<ShopOrder> {
    await this.fillCart(variant);
    await this.moveTo('ArrangingPayment');
    return this.pay();
  }
}

/** Where the customer was sent last. */
export function pageOf({ payments }: ShopOrder): string {
  const newest = payments.toSorted((a, b) => Number(a.id) - Number(b.id)).at(-1);
  return newest?.metadata.public?.paymentPageUrl ?? '';
}
