import type { RefundPageMessages } from '../messages.js';

export const pt: RefundPageMessages = {
  title: 'O seu reembolso',
  why: '{merchant} devolve-lhe {amount}. O banco não nos indicou a conta a partir da qual pagou, por isso indique para onde deve ir o dinheiro.',
  holder: 'Titular da conta',
  iban: 'IBAN',
  once: 'Verifique os dados: depois já não podem ser alterados.',
  send: 'Reembolsar nesta conta',
  faults: {
    holder: 'Introduza o nome do titular da conta, com 70 caracteres no máximo.',
    iban: 'Este IBAN não é válido. Compare-o com o seu cartão bancário ou com um extrato.',
    unreachable:
      'Esta conta não pode receber transferências em euros. Introduza uma conta de um banco da área SEPA.',
  },
  entered: {
    title: 'Obrigado',
    text: '{amount} irão para a conta {account}. Após uma verificação de pelo menos um dia, a transferência demora normalmente um a dois dias úteis.',
    warning: 'Se não introduziu esta conta, contacte {merchant} de imediato.',
  },
  sent: {
    title: 'O seu reembolso foi enviado',
    text: '{amount} foram enviados para a conta {account}.',
  },
  ended: {
    title: 'Este reembolso terminou',
    text: 'Já não é possível introduzir aqui uma conta. Se ainda espera dinheiro, contacte {merchant}.',
  },
};
