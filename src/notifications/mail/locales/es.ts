import type { MailMessages } from '../messages.js';

export const es: MailMessages = {
  testMode: 'Modo de prueba: no se ha movido dinero.',
  paid: {
    title: 'Pago recibido',
    text: 'Se ha pagado un pedido de {merchant}.',
    subject: '{amount} recibidos por el pedido {order}',
    order: 'Pedido',
    txid: 'Transacción',
    amount: 'Importe',
    received: 'Recibido',
    method: 'Pagado con',
    payer: 'Pagador',
    account: 'Cuenta',
    time: 'Pagado el',
    description: 'Descripción',
    fields: 'De su tienda',
    exceptions: {
      underpaid: 'Ha llegado menos dinero que el importe del pedido.',
      overpaid:
        'Ha llegado más dinero que el importe del pedido. Devuelva la diferencia al pagador.',
      paid_late: 'El dinero llegó cuando el pedido ya estaba cerrado. Revise el pedido.',
      duplicate_payment: 'El pedido se pagó más de una vez. Devuelva lo que sobra al pagador.',
      wrong_currency: 'El dinero llegó en otra moneda. Revise el pedido.',
      charged_back: 'El banco del pagador ha retirado el dinero. Compruebe el pedido.',
    },
  },
  confirm: {
    title: '¿Quiere recibir estos correos?',
    text: '{merchant} quiere informar a {email} de cada pedido pagado.',
    subject: 'Confirme, por favor: correos sobre pedidos de {merchant}',
    otherwise: 'Si no lo esperaba, no tiene que hacer nada: no llegará ningún otro correo.',
    button: 'Ver y confirmar',
    why: 'Este correo se envió porque {merchant} introdujo la dirección {email}.',
  },
  sample: {
    title: 'Sus correos llegan',
    text: 'Los correos sobre pedidos pagados de {merchant} le llegarán como este.',
    subject: 'Correo de prueba de {merchant}',
  },
  endpoint: {
    address: 'Dirección del webhook',
    since: 'Falla desde',
    failing: {
      hour: 'Los webhooks fallan desde hace una hora',
      day: 'Los webhooks fallan desde hace un día',
      text: 'Un webhook de {merchant} no acepta ningún evento.',
      next: 'Seguimos intentándolo. Tras cinco días sin éxito, el webhook se desactiva.',
    },
    disabled: {
      title: 'Se ha desactivado un webhook',
      text: 'Este webhook de {merchant} no ha aceptado ningún evento desde hace días, así que ya no se le envía nada.',
      gone: 'Este webhook de {merchant} respondió que ya no existe, así que ya no se le envía nada.',
      next: 'No se pierde ningún evento: cuando el webhook funcione, actívelo y haga que se reenvíen los eventos que faltan.',
    },
  },
  why: 'Recibe este correo porque {email} está confirmada para correos sobre pedidos de {merchant}.',
  unsubscribe: 'Darse de baja',
  pages: {
    unconfirmed: {
      title: '¿Quiere recibir estos correos?',
      text: '{merchant} quiere informar a {email} de cada pedido pagado.',
      confirm: 'Sí, envíenmelos',
      decline: 'No, gracias',
    },
    confirmed: {
      title: 'Los correos están activados',
      text: '{email} recibe un correo por cada pedido pagado de {merchant}.',
      unsubscribe: 'No recibir más correos',
    },
    unsubscribed: {
      title: 'Los correos están desactivados',
      text: '{email} ya no recibe correos sobre pedidos de {merchant}.',
      confirm: 'Activarlos de nuevo',
    },
    not_found: {
      title: 'Página no encontrada',
      text: 'No hay nada en esta dirección. Puede que el enlace sea antiguo.',
    },
    unavailable: {
      title: 'Inténtelo de nuevo en un momento',
      text: 'La página no se puede mostrar ahora mismo.',
    },
    too_many_requests: {
      title: 'Un momento, por favor',
      text: 'Llegaron demasiadas solicitudes desde su conexión. Espere un minuto e inténtelo de nuevo.',
    },
  },
};
