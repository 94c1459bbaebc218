/** Resources in one subscription: far more than a client shows at once. */
export const maxSubscriptions = 500;

/** Longer than any address of a resource. Each is kept for as long as its connection. */
export const maxUriChars = 200;
