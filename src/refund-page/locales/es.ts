import type { RefundPageMessages } from '../messages.js';

export const es: RefundPageMessages = {
  title: 'Su reembolso',
  why: '{merchant} le devuelve {amount}. El banco no nos indicó desde qué cuenta pagó, así que indique adónde debe ir el dinero.',
  holder: 'Titular de la cuenta',
  iban: 'IBAN',
  once: 'Compruebe los datos: después no se pueden cambiar.',
  send: 'Reembolsar en esta cuenta',
  faults: {
    holder: 'Introduzca el nombre del titular de la cuenta, con 70 caracteres como máximo.',
    iban: 'Este IBAN no es válido. Compárelo con su tarjeta bancaria o con un extracto.',
    unreachable:
      'Esta cuenta no puede recibir transferencias en euros. Introduzca una cuenta de un banco de la zona SEPA.',
  },
  entered: {
    title: 'Gracias',
    text: '{amount} irán a la cuenta {account}. Tras una comprobación de al menos un día, la transferencia suele tardar de uno a dos días hábiles.',
    warning: 'Si usted no introdujo esta cuenta, póngase en contacto con {merchant} de inmediato.',
  },
  sent: {
    title: 'Su reembolso se ha enviado',
    text: '{amount} se enviaron a la cuenta {account}.',
  },
  ended: {
    title: 'Este reembolso ha terminado',
    text: 'Ya no se puede introducir una cuenta aquí. Si todavía espera dinero, póngase en contacto con {merchant}.',
  },
};
